#include <troupe/runtime/door.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <thread>

#include <troupe/runtime/depot.hpp>

namespace troupe {

void OutsideTotals::add(const Counters& counters) noexcept {
  sent += counters.sent.value();
  handled += counters.handled.value();
  rejected += counters.rejected.value();
  dropped += counters.dropped.value();
  dead += counters.dead.value();
  late += counters.late.value();
}

void Entrance::close() noexcept {
  const std::lock_guard lock(mutex_);
  kernel_.begin_closing();
  for (Door* door : doors_) door->worker().system.store(Worker::no_system, order::relaxed);
}

void Entrance::join(Door& door) {
  const std::lock_guard lock(mutex_);
  if (closed()) door.worker().system.store(Worker::no_system, order::relaxed);
  doors_.push_back(&door);
}

void Entrance::leave(Door& door) {
  const std::lock_guard lock(mutex_);
  gone_.add(door.worker().counters);
  std::erase(doors_, &door);
}

OutsideTotals Entrance::totals() const {
  const std::lock_guard lock(mutex_);
  OutsideTotals totals = gone_;
  for (Door* door : doors_) totals.add(door->worker().counters);
  return totals;
}

Door::Door(std::shared_ptr<Entrance> entrance)
    : entrance_(std::move(entrance)),
      worker_(entrance_->executor(), &entrance_->kernel(), entrance_->kernel().number(), nullptr) {
  entrance_->join(*this);
}

Door::~Door() {
  entrance_->leave(*this);
  Depot::shared().take_all(worker_);
}

namespace {

// Numbers are not reused until all others were, so that a reference that escaped is told from a stale one.
struct Registry {
  std::mutex mutex;
  std::map<std::uint16_t, std::shared_ptr<Entrance>> entrances;
  std::uint16_t last = 0;
};

Registry& registry() noexcept {
  static auto* shared = new Registry;
  return *shared;
}

std::shared_ptr<Entrance> entrance_of(std::uint16_t number) {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  const auto found = known.entrances.find(number);
  return found == known.entrances.end() ? nullptr : found->second;
}

// The system that comes next in the order of numbers; null: that was the last.
std::shared_ptr<Entrance> entrance_after(std::uint16_t number) {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  const auto found = known.entrances.upper_bound(number);
  return found == known.entrances.end() ? nullptr : found->second;
}

// Tells the systems that live; false: none of them listens.
bool publish_everywhere(const Event& event) {
  bool heard = false;
  for (auto system = entrance_after(0); system != nullptr; system = entrance_after(system->kernel().number())) {
    if (!system->may_be_told_here() || !system->kernel().wants(event.kind)) continue;
    system->kernel().publish(event);
    heard = true;
  }
  return heard;
}

// Only has memory: for threads that make an Error or a Props before they talk to any system.
class MemoryExecutor final : public Executor {
 public:
  bool refill(Memory& memory, SizeClass size_class) noexcept override {
    return Depot::shared().refill(memory, size_class);
  }
  void surplus(Memory& memory, SizeClass size_class) noexcept override { Depot::shared().surplus(memory, size_class); }
  void share(Worker&) noexcept override {}
  bool park(Worker&, Instant) noexcept override { return false; }
  void wake(Worker&, Cell&) noexcept override {}
};

constinit MemoryExecutor memory_executor;

// What a thread has of its own.
class ThreadDoors {
 public:
  ~ThreadDoors() {
    current_worker = &nobody;
    gone = true;
    doors_.clear();
    Depot::shared().take_all(memory_);
  }

  Worker* find(std::uint16_t number, Host::Errand errand) {
    const auto known =
        std::ranges::find_if(doors_, [=](const auto& door) { return door->entrance().kernel().number() == number; });
    if (known != doors_.end()) {
      Door& door = **known;
      if (!door.entrance().closed()) return &door.worker();
      if (errand == Host::Errand::control && entrance_of(number).get() == &door.entrance()) return &door.worker();
      return nullptr;
    }
    std::shared_ptr<Entrance> entrance = entrance_of(number);
    if (entrance == nullptr || (entrance->closed() && errand == Host::Errand::message)) return nullptr;
    forget_ended();
    doors_.push_back(std::make_unique<Door>(std::move(entrance)));
    return &doors_.back()->worker();
  }
  Worker& memory() noexcept { return memory_; }

  static thread_local bool gone;

 private:
  // Doors to systems that have ended keep their insides alive: let go of them when the thread turns to another one.
  void forget_ended() {
    std::erase_if(doors_, [](const auto& door) {
      const bool ended = entrance_of(door->entrance().kernel().number()).get() != &door->entrance();
      if (ended && current_worker == &door->worker()) current_worker = &nobody;
      return ended;
    });
  }

  std::vector<std::unique_ptr<Door>> doors_;
  Worker memory_{memory_executor, nullptr, Worker::no_system, nullptr};
};

thread_local bool ThreadDoors::gone = false;
thread_local ThreadDoors thread_doors;

class ProcessHost final : public Host {
 public:
  Worker* door(std::uint16_t system, Errand errand) noexcept override {
    if (ThreadDoors::gone) return nullptr;
    Worker* worker = thread_doors.find(system, errand);
    // An outside thread stays at the door it used last.
    if (worker != nullptr && !current_worker->inside()) current_worker = worker;
    return worker;
  }
  Worker& thread_memory() noexcept override {
    if (!ThreadDoors::gone) return thread_doors.memory();
    // Statics of a thread that is ending: their memory is never given back.
    static thread_local auto* late = new Worker(memory_executor, nullptr, Worker::no_system, nullptr);
    return *late;
  }
  void relax() noexcept override { std::this_thread::yield(); }
  void escaped(const Event& event) noexcept override {
    // A system that is shutting down is no news to its users.
    if (entrance_of(system_of(event.actor.generation)) != nullptr || publish_everywhere(event)) return;
    std::fprintf(stderr, "troupe: %s was told to %s, whose system has ended; keep references inside their system\n",
                 event.message, event.actor_type);
  }
};

constinit ProcessHost process_host;

}  // namespace

namespace systems {

std::uint16_t claim_number() {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  for (unsigned tries = 0; tries < 65'000; ++tries) {
    known.last = static_cast<std::uint16_t>(known.last % 65'000 + 1);
    if (!known.entrances.contains(known.last)) return known.last;
  }
  return 0;
}

void enter(std::uint16_t number, std::shared_ptr<Entrance> entrance) {
  const std::lock_guard lock(registry().mutex);
  registry().entrances[number] = std::move(entrance);
}

void leave(std::uint16_t number) {
  std::shared_ptr<Entrance> last;  // goes after the lock
  const std::lock_guard lock(registry().mutex);
  const auto found = registry().entrances.find(number);
  if (found == registry().entrances.end()) return;
  last = std::move(found->second);
  registry().entrances.erase(found);
}

}  // namespace systems

namespace detail {

void install_host() noexcept { host = &process_host; }

}  // namespace detail

}  // namespace troupe
