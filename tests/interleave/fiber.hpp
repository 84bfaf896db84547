// Fiber: a stack of its own, switched by hand.
//
// The checker runs the threads of a scenario as fibers of one operating system thread, because only then does
// it alone decide who goes on. A switch costs a few nanoseconds: swapcontext would add two system calls to
// every step.
#pragma once

#include <cstddef>

#if !defined(__x86_64__) && !defined(__aarch64__) && !defined(TROUPE_INTERLEAVE_UCONTEXT)
#define TROUPE_INTERLEAVE_UCONTEXT 1
#endif

#ifdef TROUPE_INTERLEAVE_UCONTEXT
#include <ucontext.h>
#endif

namespace troupe::interleave {

class Fiber {
 public:
  using Entry = void (*)(void* argument);
  static constexpr std::size_t stack_bytes = 256 * 1024;

  // The stack that is already running: the one to come back to.
  Fiber() noexcept = default;
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // The next switch to this fiber calls entry(argument) on a fresh stack. What the old stack held is
  // forgotten, not unwound. The entry must never return: it switches away for good.
  void start(Entry entry, void* argument);

  void switch_to(Fiber& next) noexcept;

 private:
  std::byte* memory_ = nullptr;  // a guard page, then the stack
#ifdef TROUPE_INTERLEAVE_UCONTEXT
  ucontext_t context_{};
#else
  void* stack_pointer_ = nullptr;
#endif
};

}  // namespace troupe::interleave
