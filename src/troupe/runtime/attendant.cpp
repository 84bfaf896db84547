#include <troupe/runtime/attendant.hpp>

#include <cstdio>
#include <utility>

#include <troupe/runtime/futex.hpp>

namespace troupe {

namespace {

constexpr Duration look_every = std::chrono::milliseconds(10);

constexpr EventFilter warning_kinds =
    kinds(EventKind::failed, EventKind::unstarted, EventKind::stop_hook_failed, EventKind::slow_handler,
          EventKind::memory_exhausted, EventKind::not_drained);

}  // namespace

Attendant::Attendant(SystemExecutor& executor, Kernel& kernel, EventStream& events, Options options)
    : executor_(executor),
      kernel_(kernel),
      options_(options),
      warnings_(events.subscribe(options.print_warnings ? warning_kinds : EventFilter{})) {
  executor.each_worker([this](Worker& worker, const DispatcherOptions&) {
    watched_.push_back({.worker = &worker, .since = executor_.clock().now()});
  });
  executor.when_awake([this] { rouse(); });
  if (executor.has_threads()) thread_ = std::thread([this] { loop(); });
}

Attendant::~Attendant() {
  ending_.store(true, order::seq_cst);
  asleep_.store(0, order::release);
  futex::wake_one(asleep_);
  if (thread_.joinable()) thread_.join();
  print_warnings();
}

void Attendant::rouse() noexcept {
  if (asleep_.load(order::seq_cst) == 0) return;
  asleep_.store(0, order::release);
  futex::wake_one(asleep_);
}

void Attendant::loop() {
  while (!ending_.load(order::relaxed)) {
    const Instant now = executor_.clock().now();
    for (Watched& watched : watched_) {
      name_slow_handler(watched, now);
      relieve(watched);
    }
    print_warnings();
    // Announce the sleep, then look: a worker that wakes counts itself, then looks for a sleeper. One sees the other.
    asleep_.store(1, order::seq_cst);
    if (ending_.load(order::seq_cst)) return;
    if (executor_.awake.load(order::seq_cst) == 0) {
      futex::wait(asleep_, 1);
    } else {
      futex::wait(asleep_, 1, look_every);
    }
    asleep_.store(0, order::relaxed);
  }
}

// In the midst of the same batch as at the last look: batches are short, so a handler holds it up.
void Attendant::relieve(Watched& watched) noexcept {
  const std::uint64_t batches = watched.worker->batches.load(order::relaxed);
  if (std::exchange(watched.batches, batches) == batches && batches % 2 == 1) executor_.relieve(*watched.worker);
}

void Attendant::name_slow_handler(Watched& watched, Instant now) noexcept {
  const std::uint64_t turn = watched.worker->turns.load(order::relaxed);
  const Deliver current = watched.worker->current.load(order::relaxed);
  const bool idle = watched.worker->current_cell.load(order::relaxed) == nullptr;
  if (turn != watched.turn || idle || current == nullptr) {
    watched.turn = turn;
    watched.since = now;
    watched.reported = false;
    return;
  }
  const Duration length(static_cast<Duration::rep>(now - watched.since));
  if (watched.reported || length < options_.slow_after) return;
  watched.reported = true;
  Cell* cell = watched.worker->current_cell.load(order::relaxed);
  kernel_.publish({.kind = EventKind::slow_handler,
                   .actor = {cell, cell == nullptr ? 0 : cell->generation.load(order::relaxed)},
                   .actor_type = current(Op::actor_name, nullptr, nullptr, *watched.worker),
                   .message = current(Op::message_name, nullptr, nullptr, *watched.worker),
                   .duration = length});
}

std::vector<std::string> Attendant::being_handled() {
  std::vector<std::string> lines;
  for (const Watched& watched : watched_) {
    const Deliver current = watched.worker->current.load(order::relaxed);
    if (current == nullptr || watched.worker->current_cell.load(order::relaxed) == nullptr) continue;
    lines.push_back(std::string(current(Op::actor_name, nullptr, nullptr, *watched.worker)) + " handles " +
                    current(Op::message_name, nullptr, nullptr, *watched.worker));
  }
  return lines;
}

void Attendant::print_warnings() {
  while (auto record = warnings_.next()) std::fprintf(stderr, "troupe: %s\n", to_string(*record).c_str());
}

}  // namespace troupe
