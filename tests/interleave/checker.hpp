// The interleaving checker: runs a small concurrent program under every schedule that matters.
//
//   TEST(Mailbox, two_senders_never_exceed_the_capacity) {
//     EXPECT_TRUE(holds(explore({.preemptions = 3}, [](Scenario& scenario) {
//       auto& box = scenario.make<Box>(1);                            // fresh for each execution
//       name(box.word, "word");                                       // for the timeline of a failure
//       scenario.thread("first", [&] { box.tell(); });
//       scenario.thread("second", [&] { box.tell(); require(box.count() <= 1, "at most one inside"); });
//       scenario.finally([&] { require(box.count() == 1, "one was accepted"); });
//     })));
//   }
//
// How. The threads are fibers of one operating system thread. Each access to a troupe::Atomic stops its
// thread and asks the explorer who goes on. All answers are tried, depth first, with at most `preemptions`
// switches away from a thread that could have gone on. A thread that blocks, yields or ends is left for free.
//
// Memory. A store, relaxed or release, waits in a buffer of its thread and reaches memory later, possibly
// after later loads of that thread; its own loads see it at once. Read-modify-writes, seq_cst stores, wait
// and wake empty the buffer of their thread first, membarrier() that of every thread. The end of a thread
// does not: its last stores arrive at any later moment, at the latest before the final check. That is x86.
// `weak_stores` adds what ARM does to stores: only release keeps them in order. Not modelled: loads that
// overtake each other, read-modify-writes whose own store is delayed. Other memory is not delayed at all:
// data races on it are the business of ThreadSanitizer.
//
// What is left out without missing anything. (1) Stores into a buffer are invisible, so nobody is switched
// there. (2) Delayed stores leave only when that matters to the next operation (store_buffers.hpp). (3) A
// state that was met before is not explored again (visited.hpp). The last is right if a check depends only on
// what the threads and the final check see. Where several threads write to a log of the scenario and the
// order in it matters, call step() before: it is ordered against every other step(). `reduce = false`
// switches all three off; reduction_test.cpp compares.
//
// Limits. Code between two accesses is not interrupted, so a critical section without any needs a step()
// inside to be seen as occupied. Loops that wait for another thread must call troupe::spin_pause(). A failed
// execution leaks what its threads held: they are stopped in the middle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory_resource>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tests/interleave/atomic.hpp>

namespace troupe::interleave {

enum class Search : std::uint8_t {
  exhaustive,
  random,  // priorities change at `preemptions` random moments: for scenarios too large to exhaust
};

struct Options {
  unsigned preemptions = 3;
  bool weak_stores = false;
  unsigned spurious_failures = 0;  // of compare_exchange_weak, in one execution
  bool reduce = true;

  Search search = Search::exhaustive;
  std::uint64_t seed = 1;
  std::uint64_t executions = 20'000'000;  // at most; a random search makes exactly so many
  unsigned steps = 20'000;                // in one execution; more is a failure
  unsigned quiet_steps = 500;             // without any change of memory; more is a failure

  std::string replay{};  // of an earlier failure with the same options: makes only that execution
};

struct Exploration {
  bool passed = true;
  bool complete = false;  // every schedule within the bounds was covered
  std::uint64_t executions = 0;
  std::uint64_t steps = 0;
  std::uint64_t states = 0;
  double seconds = 0;
  std::string failure;       // what went wrong
  unsigned preemptions = 0;  // that it took
  std::string timeline;      // how it came, one operation a line
  std::string replay;
};
std::ostream& operator<<(std::ostream& out, const Exploration& result);

// One execution in the making.
class Scenario {
 public:
  Scenario();
  ~Scenario();
  Scenario(const Scenario&) = delete;
  Scenario& operator=(const Scenario&) = delete;

  // An object that lives until the final check is over. It has the same address in every execution, which
  // lets the explorer recognise states.
  template <class T, class... Arguments>
  T& make(Arguments&&... arguments) {
    auto* object = new (memory_.allocate(model::bytes<T>, alignof(T))) T(std::forward<Arguments>(arguments)...);
    objects_.push_back({object, [](void* made) { static_cast<T*>(made)->~T(); }});
    return *object;
  }

  // The name must be a literal, as everywhere here.
  void thread(const char* name, std::function<void()> body);
  void finally(std::function<void()> check) { check_ = std::move(check); }

  // A variable that is thread-local in the real program: each thread starts with its present value and keeps
  // its own.
  template <class T>
  void per_thread(T& variable) {
    static_assert(std::is_trivially_copyable_v<T>);
    locals_.push_back({&variable, model::bytes<T>});
  }

  // An object whose atomics only one thread uses, such as counters that others read for figures only, and one
  // whose atomics nobody changes. Nothing can come between, so nobody is switched there, which makes an
  // exploration a good deal smaller. A second thread there, or a change, fails the execution.
  template <class T>
  void unshared(T& object) {
    calm_.push_back({&object, model::bytes<T>, Calm::not_yet});
  }
  template <class T>
  void constant(T& object) {
    calm_.push_back({&object, model::bytes<T>, Calm::constant});
  }

 private:
  friend class Machine;
  struct Body {
    const char* name;
    std::function<void()> run;
  };
  struct Object {
    void* address;
    void (*destroy)(void*);
  };
  struct Local {
    void* address;
    std::size_t bytes;
  };
  struct Calm {
    static constexpr unsigned not_yet = ~0u;
    static constexpr unsigned constant = not_yet - 1;
    const void* address;
    std::size_t bytes;
    unsigned owner;  // the only thread that uses it, or one of the above
  };

  void reset(bool destroy_objects) noexcept;

  std::vector<std::byte> first_memory_;
  std::pmr::monotonic_buffer_resource memory_;
  std::vector<Object> objects_;
  std::vector<Body> threads_;
  std::vector<Local> locals_;
  std::vector<Calm> calm_;
  std::function<void()> check_;
};

Exploration explore(const Options& options, const std::function<void(Scenario&)>& scenario);

// Fails the execution unless the condition holds. In threads and in the final check.
void require(bool condition, const char* text);
[[noreturn]] void fail(const char* text);

// For the timeline.
void name(const void* address, std::size_t bytes, const char* text);
template <class T>
void name(const T& variable, const char* text) {
  name(&variable, sizeof(variable), text);
}
void note(const char* text);

// yield(), in atomic.hpp: the thread is not picked again before another one went on, and then sees all that
// the others had stored when it was called. Time passes.

// A bare scheduling point, ordered against all others of its kind.
void step() noexcept;

// What the operating system call of this name does: empties the store buffers of all threads.
void membarrier() noexcept;

// A futex: sleeps if the variable has this value, until woken. Check and falling asleep are one operation.
namespace model {
void wait(Cell cell, std::uint64_t value) noexcept;
unsigned wake(const void* address, unsigned most) noexcept;
}  // namespace model
template <class T>
void wait(const CheckedAtomic<T>& variable, std::type_identity_t<T> value) noexcept {
  model::wait({const_cast<CheckedAtomic<T>*>(&variable), model::bytes<T>}, model::to_bits(value));
}
// Wakes some of the sleepers; returns how many.
template <class T>
unsigned wake(const CheckedAtomic<T>& variable, unsigned most = ~0u) noexcept {
  return model::wake(&variable, most);
}

// Blocks until the condition, which may look at atomics, holds. The condition is called again after others
// went on.
template <class Condition>
void wait_until(Condition condition) {
  while (!condition()) yield();
}

// Makes every access to the memory a failure, until unpoisoned or the execution ends: "this is free now".
void poison(const void* address, std::size_t bytes);
void unpoison(const void* address, std::size_t bytes);

}  // namespace troupe::interleave
