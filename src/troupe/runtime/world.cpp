#include <troupe/runtime/world.hpp>

#include <algorithm>
#include <unordered_map>

#include <troupe/core/alarm.hpp>
#include <troupe/core/any_ref.hpp>
#include <troupe/core/turn.hpp>
#include <troupe/runtime/depot.hpp>

namespace troupe::testkit {

// One system's share of a world: a single worker for all its dispatchers.
class Node final : public SystemExecutor {
 public:
  Node(World& world, std::size_t position)
      : world_(world), position_(position), wheel_(clock_.now()), worker_(*this, nullptr, Worker::no_system, &wheel_) {
    clock_.move(world.elapsed());
    worker_.dispatcher = 0;
    worker_.index = 0;
    worker_.now = clock_.now();
  }
  ~Node() override { Depot::shared().take_all(worker_); }

  Clock& clock() noexcept override { return clock_; }
  std::uint16_t workers() const noexcept override { return 1; }
  void begin(Kernel&) noexcept override {}
  // A door may keep this node longer than its world.
  void end() noexcept override { world_.nodes_[position_] = nullptr; }
  Worker& first_worker() noexcept override { return worker_; }
  bool wait(Atomic<std::uint32_t>& word, Instant until) noexcept override {
    const Duration within = until == end_of_time ? std::chrono::hours(24 * 365)
                                                 : Duration(static_cast<Duration::rep>(until - clock_.now()));
    return world_.run_until([&] { return word.load(order::acquire) != 0; }, within);
  }
  bool may_block() const noexcept override { return true; }
  bool has_threads() const noexcept override { return false; }
  void each_worker(const std::function<void(Worker&, const DispatcherOptions&)>& visit) override {
    static const DispatcherOptions all{.name = "deterministic", .threads = 1};
    visit(worker_, all);
  }

  bool refill(Memory& memory, SizeClass size_class) noexcept override {
    return Depot::shared().refill(memory, size_class);
  }
  void surplus(Memory& memory, SizeClass size_class) noexcept override { Depot::shared().surplus(memory, size_class); }
  void share(Worker&) noexcept override {}
  bool park(Worker&, Instant) noexcept override { return false; }
  void wake(Worker&, Cell& cell) noexcept override {
    stamp_ready(cell, worker_.now);
    worker_.push_ready(cell);
  }

  [[nodiscard]] std::uint32_t ready() const noexcept { return worker_.ready.size(); }
  [[nodiscard]] bool due() const noexcept { return wheel_.next_due() <= worker_.now; }
  [[nodiscard]] Duration until_due() const noexcept {
    const Instant next = wheel_.next_due();
    return next == end_of_time ? Duration::max() : Duration(static_cast<Duration::rep>(next - worker_.now));
  }
  void move(Duration by) noexcept {
    clock_.move(by);
    worker_.now = clock_.now();
  }

  void run(std::uint32_t index) {
    Cell* cell = worker_.ready.pop_at(index);
    // Actors are told apart by the order in which they first ran: an address in memory would differ from run to run.
    const auto [known, fresh] = actors_.try_emplace({cell, cell->generation.load(order::relaxed)}, actors_.size());
    const std::string who =
        std::string(cell->type.load(order::relaxed)->actor_class->name) + "#" + std::to_string(known->second);
    worker_.current.store(nullptr, order::relaxed);
    enter([&] { turns::run(worker_, *cell, 1); });
    const Deliver handled = worker_.current.load(order::relaxed);
    world_.record(position_,
                  who + " " + (handled == nullptr ? "·" : handled(Op::message_name, nullptr, nullptr, worker_)));
  }
  void fire() {
    enter([&] { alarms::fire_next(worker_); });
    world_.record(position_, "timer");
  }

 private:
  struct Hash {
    std::size_t operator()(const CellRef& ref) const noexcept { return std::hash<AnyRef>{}(AnyRef(ref)); }
  };

  template <class Work>
  void enter(Work work) {
    Worker* before = std::exchange(current_worker, &worker_);
    work();
    current_worker = before;
  }

  World& world_;
  std::size_t position_;
  VirtualClock clock_;
  Wheel wheel_;
  Worker worker_;
  std::unordered_map<CellRef, std::size_t, Hash> actors_;
};

World::World(std::uint64_t seed) : seed_(seed), random_(seed) {}
World::~World() = default;

std::unique_ptr<SystemExecutor> World::node() {
  auto node = std::make_unique<Node>(*this, nodes_.size());
  nodes_.push_back(node.get());
  return node;
}

void World::record(std::size_t node, std::string_view what) {
  ++steps_;
  for (const char c : what) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  hash_ = (hash_ ^ node ^ static_cast<std::uint64_t>(elapsed_.count())) * 0x100000001b3u;
  if (keeps_trace_) {
    trace_.push_back(std::to_string(elapsed_.count()) + " " + std::to_string(node) + " " + std::string(what));
  }
}

bool World::step() {
  std::uint64_t choices = 0;
  for (const Node* node : nodes_) choices += node == nullptr ? 0 : node->ready() + (node->due() ? 1 : 0);
  if (choices == 0 || exhausted()) return false;
  std::uint64_t choice = random_.below(choices);
  for (Node* node : nodes_) {
    if (node == nullptr) continue;
    const std::uint64_t here = node->ready() + (node->due() ? 1 : 0);
    if (choice >= here) {
      choice -= here;
    } else if (choice < node->ready()) {
      node->run(static_cast<std::uint32_t>(choice));
      return true;
    } else {
      node->fire();
      return true;
    }
  }
  return true;
}

void World::run_until_idle() {
  while (step()) {
  }
}

bool World::run_until(const std::function<bool()>& condition, Duration within) {
  const Duration end = elapsed_ + within;
  for (;;) {
    if (condition()) return true;
    if (step()) continue;
    if (exhausted()) return false;  // nothing can happen any more, so time stands still
    Duration next = Duration::max();
    for (const Node* node : nodes_) next = std::min(next, node == nullptr ? next : node->until_due());
    if (elapsed_ >= end) return false;
    next = std::min(next, end - elapsed_);
    elapsed_ += next;
    for (Node* node : nodes_) {
      if (node != nullptr) node->move(next);
    }
  }
}

void World::advance(Duration by) {
  const Duration end = elapsed_ + by;
  (void)run_until([&] { return false; }, by);
  elapsed_ = end;
  run_until_idle();
}

}  // namespace troupe::testkit
