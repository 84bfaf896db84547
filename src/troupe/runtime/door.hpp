// Doors: how threads that are no workers talk to systems.
//
// A thread that tells an actor something gets a door to that actor's system: a Worker with free lists and counters
// but without a run queue. It stays the thread's current worker, so a second tell is as cheap as an actor's. A door
// shares the ownership of the system's insides: a thread that is just telling something while the system ends
// finds everything still there, and is refused.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <troupe/core/counters.hpp>
#include <troupe/core/executor.hpp>
#include <troupe/core/kernel.hpp>

namespace troupe {

class Door;

// The figures of threads that have gone, and the doors of those that are here.
struct OutsideTotals {
  std::uint64_t sent = 0, handled = 0, rejected = 0, dropped = 0, dead = 0, late = 0;
  void add(const Counters& counters) noexcept;
};

// What a system shows to doors.
class Entrance {
 public:
  // A system without threads of its own is driven by the one that makes it.
  Entrance(Executor& executor, Kernel& kernel, bool has_threads) noexcept
      : executor_(executor), kernel_(kernel), driver_(has_threads ? std::thread::id() : std::this_thread::get_id()) {}

  [[nodiscard]] Executor& executor() const noexcept { return executor_; }
  [[nodiscard]] Kernel& kernel() const noexcept { return kernel_; }
  [[nodiscard]] bool may_be_told_here() const noexcept {
    return driver_ == std::thread::id() || driver_ == std::this_thread::get_id();
  }

  // From here on doors take no messages; replies and orders still pass.
  void close() noexcept;
  [[nodiscard]] bool closed() const noexcept { return kernel_.closing.load(order::acquire); }

  void join(Door& door);
  void leave(Door& door);
  [[nodiscard]] OutsideTotals totals() const;

 private:
  Executor& executor_;
  Kernel& kernel_;
  std::thread::id driver_;
  mutable std::mutex mutex_;
  std::vector<Door*> doors_;
  OutsideTotals gone_;
};

class Door {
 public:
  explicit Door(std::shared_ptr<Entrance> entrance);
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;
  ~Door();

  [[nodiscard]] Worker& worker() noexcept { return worker_; }
  [[nodiscard]] const Entrance& entrance() const noexcept { return *entrance_; }

 private:
  std::shared_ptr<Entrance> entrance_;
  Worker worker_;
};

// The process's systems by number.
namespace systems {

// Gives a system its number; 0: there are too many. The entrance keeps everything behind it alive.
[[nodiscard]] std::uint16_t claim_number();
void enter(std::uint16_t number, std::shared_ptr<Entrance> entrance);
void leave(std::uint16_t number);

}  // namespace systems
}  // namespace troupe
