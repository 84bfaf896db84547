// Machine: carries out one execution of a scenario, along a trail of choices.
//
// Every thread runs up to its first operation on shared memory. From then on exactly one goes on at a time:
// it carries out the operation it stopped at and runs up to its next one, where `pick` decides again. A
// thread that picks itself needs no switch, so most steps are plain calls.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <tests/interleave/checker.hpp>
#include <tests/interleave/fiber.hpp>
#include <tests/interleave/operation.hpp>
#include <tests/interleave/priorities.hpp>
#include <tests/interleave/shared_memory.hpp>
#include <tests/interleave/timeline.hpp>
#include <tests/interleave/trail.hpp>
#include <tests/interleave/turns.hpp>
#include <tests/interleave/visited.hpp>

namespace troupe::interleave {

class Machine {
 public:
  explicit Machine(const Options& options) : options_(options), memory_(timeline_) {
    exploring_ = this;
    failure_.reserve(256);  // a thread that crashed may have left no heap to speak of
  }
  ~Machine() { exploring_ = nullptr; }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // The machine whose scenario is being built, run or checked; null outside of explore().
  [[nodiscard]] static Machine* exploring() noexcept { return exploring_; }
  // The same, but only while one of its threads runs: atomics are plain variables otherwise.
  [[nodiscard]] static Machine* running() noexcept { return running_; }

  void run(const std::function<void(Scenario&)>& scenario, unsigned preemptions);

  // Declared as unshared or constant: a plain variable.
  [[nodiscard]] bool is_calm(const void* address, bool changed);

  // What threads call.
  std::uint64_t access(const Operation& operation);
  void store(model::Cell cell, std::uint64_t value, std::memory_order order);
  void forget(const void* address) noexcept { memory_.buffers().forget(current_, address); }
  void note(const char* text) {
    timeline_.add({.text = text, .thread = static_cast<std::uint8_t>(current_), .outcome = Event::Outcome::noted});
  }
  [[nodiscard]] bool swapped() const noexcept { return threads_[current_].swapped; }
  [[noreturn]] void fail(const char* text);
  [[nodiscard]] bool on_fiber() const noexcept { return current_ != main; }

  [[nodiscard]] Trail& trail() noexcept { return trail_; }
  [[nodiscard]] Visited& visited() noexcept { return visited_; }
  [[nodiscard]] Timeline& timeline() noexcept { return timeline_; }
  [[nodiscard]] SharedMemory& memory() noexcept { return memory_; }
  [[nodiscard]] Priorities& priorities() noexcept { return priorities_; }

  [[nodiscard]] bool failed() const noexcept { return !failure_.empty(); }
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
  [[nodiscard]] unsigned preemptions() const noexcept { return spent_; }
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  [[nodiscard]] std::string print_timeline() const;

 private:
  static constexpr unsigned main = max_threads;       // the fiber of explore() itself
  static constexpr unsigned check = max_threads + 1;  // the fiber of the final check
  static constexpr unsigned fiber_count = max_threads + 2;
  static constexpr unsigned nobody = max_threads;

  struct Thread {
    const char* name = "";
    Operation pending{};
    std::uint64_t history = 0;
    std::uint32_t settled = 0;                         // how many stores it had made at its last turn
    bool swapped = false;                              // how its last compare-and-swap went
    std::array<std::uint32_t, max_threads> awaited{};  // by a yield: how many stores of each thread must have arrived
  };
  struct Stopped {};

  void reset(unsigned preemptions);
  void start_threads();
  static void enter_thread(void* machine);
  static void enter_check(void* machine);
  void call(const std::function<void()>& body);

  unsigned pick();
  unsigned pick_by_priority(const std::uint8_t* order, unsigned count);
  void take_turn();
  void count_step();
  unsigned choose(unsigned alternatives, unsigned preferred = 0);
  [[nodiscard]] bool seen_before(std::uint64_t where);

  std::uint64_t perform(Operation& operation);
  std::uint64_t load(const Operation& operation);
  std::uint64_t update(const Operation& operation);
  std::uint64_t compare_exchange(const Operation& operation);
  [[nodiscard]] std::uint32_t surely_made(unsigned thread) const noexcept;
  void membarrier();
  void yield();
  void wait(Operation& operation);
  std::uint64_t wake(const Operation& operation);
  void let_depart(const void* address, Threads drained, std::uint64_t where = 0);
  void drain_for(const Operation& operation);
  void record(const Operation& operation, std::uint64_t seen, Event::Outcome outcome = Event::Outcome::done);

  static Scenario::Local exception_state() noexcept;
  void keep_locals();
  void switch_to(unsigned fiber) noexcept;

  static inline Machine* exploring_ = nullptr;
  static inline Machine* running_ = nullptr;

  const Options& options_;
  Scenario scenario_;
  Trail trail_;
  Visited visited_;
  Timeline timeline_;
  SharedMemory memory_;
  Turns turns_;
  Priorities priorities_;

  std::array<Thread, max_threads> threads_;
  std::array<Fiber, fiber_count> fibers_;
  std::vector<Scenario::Local> locals_;
  std::array<std::vector<std::byte>, fiber_count> kept_locals_;

  unsigned count_ = 0;
  unsigned current_ = main;
  unsigned last_ = nobody;  // who made the last step
  bool starting_ = false;
  bool coasting_ = false;  // the rest is known: go to the end without looking left or right
  unsigned bound_ = 0;
  unsigned spent_ = 0;  // preemptions
  unsigned spurious_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t quiet_since_ = 0;
  std::uint64_t changes_ = 0;
  std::string failure_;
};

}  // namespace troupe::interleave
