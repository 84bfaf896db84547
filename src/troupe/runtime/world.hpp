// World: the deterministic executor. One thread, virtual time, seeded chance.
//
//   testkit::World world(42);
//   System system(world.node());
//
// Several systems may live in one world, each with clocks of its own that can be made to jump. The next actor to run,
// and whether a due timer fires before it, are drawn from the seed: equal seeds give equal runs, whatever the machine,
// and the trace's hash proves it. A system can be cut off at any point, as by a power failure: no hook runs, nothing is
// sent.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <troupe/core/clock.hpp>
#include <troupe/runtime/executor.hpp>

namespace troupe::testkit {

class Node;

// A clock that moves when it is told to.
class VirtualClock final : public Clock {
 public:
  Instant now() noexcept override { return now_; }
  std::chrono::sys_time<Duration> wall() noexcept override { return wall_; }
  void move(Duration by) noexcept {
    now_ = after(now_, by);
    wall_ += by;
  }
  // The wall clock may jump either way, as after a correction; the monotonic one does not notice.
  void jump_wall(Duration by) noexcept { wall_ += by; }

 private:
  Instant now_ = 1'000'000'000;
  std::chrono::sys_time<Duration> wall_{std::chrono::sys_days(std::chrono::year(2026) / 1 / 1)};
};

class World {
 public:
  explicit World(std::uint64_t seed = 1);
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();

  // The executor for one more system of this world.
  [[nodiscard]] std::unique_ptr<SystemExecutor> node();

  // One actor runs for one message, or one timer fires; false: nothing is ready and nothing is due.
  bool step();
  // Until nothing is ready. Timers that are not due yet do not count: time stands still.
  void run_until_idle();
  // Time passes, timer by timer.
  void advance(Duration by);
  // Until the condition holds, letting time pass as needed; false: it did not within that time.
  bool run_until(const std::function<bool()>& condition, Duration within);

  [[nodiscard]] Duration elapsed() const noexcept { return elapsed_; }
  [[nodiscard]] std::uint64_t random(std::uint64_t below) noexcept { return random_.below(below); }
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  // What happened, one line a step; the hash covers all of it, the lines are kept only when asked for.
  [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  // A world that never comes to rest stops after so many steps, and says so.
  void limit_steps(std::uint64_t most) noexcept { most_steps_ = most; }
  [[nodiscard]] bool exhausted() const noexcept { return steps_ >= most_steps_; }
  void keep_trace() noexcept { keeps_trace_ = true; }
  [[nodiscard]] const std::vector<std::string>& trace() const noexcept { return trace_; }

 private:
  friend class Node;

  void record(std::size_t node, std::string_view what);

  std::uint64_t seed_;
  SeededRandom random_;
  std::vector<Node*> nodes_;  // in order of birth; null: it has ended
  Duration elapsed_{};
  std::uint64_t hash_ = 0xcbf29ce484222325u;
  std::uint64_t steps_ = 0;
  std::uint64_t most_steps_ = 100'000'000;
  bool keeps_trace_ = false;
  std::vector<std::string> trace_;
};

}  // namespace troupe::testkit
