#include <troupe/runtime/threads.hpp>

#include <algorithm>
#include <chrono>

#include <troupe/core/alarm.hpp>
#include <troupe/core/turn.hpp>
#include <troupe/runtime/berth.hpp>
#include <troupe/runtime/depot.hpp>
#include <troupe/runtime/futex.hpp>
#include <troupe/runtime/system_clock.hpp>

namespace troupe {

namespace {

constexpr std::uint32_t runs_a_batch = 64;
constexpr std::uint32_t share_at_least = 8;
// What waking a sleeping thread costs; work that is done sooner is not worth giving away.
constexpr std::uint64_t wake_cost_ns = 50'000;

}  // namespace

struct Threads::Dispatcher {
  DispatcherOptions options;
  Inbox inbox;
  Sleepers sleepers;
  std::vector<Thread*> threads;
};

struct Threads::Thread {
  Thread(Threads& executor, Dispatcher& group, unsigned number, Parking* own)
      : dispatcher(group),
        berth(group.sleepers, number),
        parking(own),
        wheel(SystemClock::shared().now()),
        worker(executor, nullptr, Worker::no_system, &wheel) {}

  Dispatcher& dispatcher;
  Berth berth;
  Parking* parking;
  Wheel wheel;
  Worker worker;
  std::uint64_t ns_per_run = 200;  // a guess that the first batches correct
  std::thread thread;
};

Threads::Threads(std::vector<DispatcherOptions> dispatchers) {
  for (DispatcherOptions& options : dispatchers) {
    auto dispatcher = std::make_unique<Dispatcher>();
    dispatcher->options = std::move(options);
    const unsigned count = std::clamp(dispatcher->options.threads, 1u, Sleepers::most);
    for (unsigned i = 0; i < count; ++i) {
      Parking* parking = i < dispatcher->options.parking.size() ? dispatcher->options.parking[i] : nullptr;
      auto thread = std::make_unique<Thread>(*this, *dispatcher, i, parking);
      thread->worker.dispatcher = static_cast<std::uint8_t>(dispatchers_.size());
      thread->worker.index = static_cast<std::uint16_t>(threads_.size());
      thread->worker.messages_per_turn = std::max(1u, dispatcher->options.messages_per_turn);
      thread->worker.time_per_turn = dispatcher->options.time_per_turn;
      thread->worker.share_above = count > 1 ? share_at_least : ~std::uint32_t{0};
      dispatcher->threads.push_back(thread.get());
      threads_.push_back(std::move(thread));
    }
    dispatchers_.push_back(std::move(dispatcher));
  }
}

Threads::~Threads() {
  for (auto& thread : threads_) Depot::shared().take_all(thread->worker);
}

Clock& Threads::clock() noexcept { return SystemClock::shared(); }
Worker& Threads::first_worker() noexcept { return threads_.front()->worker; }

void Threads::begin(Kernel& kernel) noexcept {
  awake.store(static_cast<std::uint32_t>(threads_.size()), order::seq_cst);
  if (rouse_) rouse_();
  for (auto& thread : threads_) {
    thread->worker.kernel = &kernel;
    thread->worker.system.store(kernel.number(), order::relaxed);
    thread->thread = std::thread([this, own = thread.get()] { loop(*own); });
  }
}

void Threads::end() noexcept {
  ending_.store(true, order::seq_cst);
  for (auto& dispatcher : dispatchers_) {
    for (std::size_t i = 0; i < dispatcher->threads.size(); ++i) wake_sleeper(*dispatcher);
  }
  for (auto& thread : threads_) {
    if (thread->thread.joinable()) thread->thread.join();
  }
}

void Threads::each_worker(const std::function<void(Worker&, const DispatcherOptions&)>& visit) {
  for (auto& thread : threads_) visit(thread->worker, thread->dispatcher.options);
}

bool Threads::refill(Memory& memory, SizeClass size_class) noexcept {
  return Depot::shared().refill(memory, size_class);
}
void Threads::surplus(Memory& memory, SizeClass size_class) noexcept { Depot::shared().surplus(memory, size_class); }

void Threads::wake_sleeper(Dispatcher& dispatcher) noexcept {
  const unsigned position = dispatcher.sleepers.take();
  if (position == Sleepers::most) return;
  Thread& thread = *dispatcher.threads[position];
  thread.berth.wake([&thread](Atomic<std::uint32_t>& asleep) {
    if (thread.parking != nullptr) {
      thread.parking->wake();
    } else {
      futex::wake_one(asleep);
    }
  });
}

void Threads::wake(Worker& from, Cell& cell) noexcept {
  Dispatcher& dispatcher = *dispatchers_[cell.dispatcher.load(order::relaxed)];
  stamp_ready(cell, from.inside() ? from.now : clock().now());  // an outside thread has no batches
  if (dispatcher.inbox.push(cell)) wake_sleeper(dispatcher);
}

// Half of a long queue goes to a sleeping neighbour, if what is queued takes longer than waking it.
void Threads::share(Worker& worker) noexcept {
  Thread& thread = thread_of(worker);
  Dispatcher& dispatcher = thread.dispatcher;
  const std::uint32_t queued = worker.ready.size();
  if (!dispatcher.sleepers.any() || queued * thread.ns_per_run < wake_cost_ns) {
    worker.share_above = queued * 2;
    return;
  }
  bool wake = false;
  for (std::uint32_t given = queued / 2; given > 0; --given) {
    wake = dispatcher.inbox.push(*worker.ready.pop()) || wake;
    worker.counters.shared.add();
  }
  if (wake) wake_sleeper(dispatcher);
}

void Threads::take_inbox(Thread& thread) noexcept {
  Cell* newest = thread.dispatcher.inbox.take();
  Cell* oldest = nullptr;
  while (newest != nullptr) {
    Cell* next = newest->next_ready;
    newest->next_ready = oldest;
    oldest = newest;
    newest = next;
  }
  while (oldest != nullptr) {
    Cell* next = oldest->next_ready;
    thread.worker.ready.push(oldest);
    oldest = next;
  }
  if (thread.worker.ready.size() > thread.worker.share_above) share(thread.worker);
}

bool Threads::park(Worker& worker, Instant until) noexcept {
  Thread& thread = thread_of(worker);
  Dispatcher& dispatcher = thread.dispatcher;
  const bool sleeps = thread.berth.lie_down([&] { return !dispatcher.inbox.empty() || ending_.load(order::seq_cst); });
  if (!sleeps) return !ending_.load(order::relaxed) || !dispatcher.inbox.empty();
  worker.counters.parks.add();
  awake.fetch_sub(1, order::seq_cst);
  const Instant now = clock().now();
  const Duration limit = until == end_of_time ? std::chrono::hours(1)
                                              : Duration(static_cast<Duration::rep>(until > now ? until - now : 0));
  thread.berth.sleep([&](Atomic<std::uint32_t>& asleep) {
    if (thread.parking != nullptr) {
      thread.parking->park(limit);
    } else {
      futex::wait(asleep, 1, limit);
    }
  });
  awake.fetch_add(1, order::seq_cst);
  if (rouse_) rouse_();
  return true;
}

void Threads::loop(Thread& thread) {
  Worker& worker = thread.worker;
  current_worker = &worker;
  for (;;) {
    const Instant began = clock().now();
    worker.now = began;
    alarms::fire_due(worker);
    take_inbox(thread);
    std::uint32_t runs = 0;
    while (runs < runs_a_batch && turns::run_next(worker)) ++runs;
    if (runs > 0) {
      const Instant length = clock().now() - began;
      thread.ns_per_run = (7 * thread.ns_per_run + length / runs) / 8;
      if (worker.ready.size() < share_at_least && thread.dispatcher.threads.size() > 1) {
        worker.share_above = share_at_least;
      }
      continue;
    }
    if (!park(worker, worker.wheel->next_due())) break;
  }
  current_worker = &nobody;
}

bool Threads::wait(Atomic<std::uint32_t>& word, Instant until) noexcept {
  while (word.load(order::acquire) == 0) {
    const Instant now = clock().now();
    if (now >= until) return false;
    futex::wait(word, 0, Duration(static_cast<Duration::rep>(std::min<Instant>(until - now, 3'600'000'000'000))));
  }
  return true;
}

}  // namespace troupe
