// Berth: where one worker of a dispatcher sleeps.
//
// The worker announces itself among the sleepers, looks once more whether it is needed, and only then sleeps. Who
// wakes it takes it out of the sleepers first, so a worker is woken by one waker at a time; it does not leave before
// that waker has let go of the berth. threads.hpp has the argument why no wake-up is lost. How it sleeps is the
// caller's business, so that the interleaving checker can run the same code.
#pragma once

#include <cstdint>

#include <troupe/core/atomic.hpp>
#include <troupe/runtime/inbox.hpp>

namespace troupe {

class Berth {
 public:
  Berth(Sleepers& sleepers, unsigned position) noexcept : sleepers_(sleepers), position_(position) {}

  // False: the worker is needed and must not sleep.
  template <class Needed>
  [[nodiscard]] bool lie_down(Needed needed) noexcept {
    asleep_.store(1, order::relaxed);
    sleepers_.announce(position_);
    return !needed() || !sleepers_.withdraw(position_);
  }

  // Until a waker came or `doze`, called with the word that is 1 meanwhile, returned for another reason.
  template <class Doze>
  void sleep(Doze doze) noexcept {
    while (asleep_.load(order::acquire) == 1) {
      doze(asleep_);
      if (asleep_.load(order::acquire) == 0) break;
      // Woken by time or by chance: leave the set, unless a waker was faster and is about to clear the word.
      if (sleepers_.withdraw(position_)) break;
    }
  }

  // By a waker that took this position from the sleepers; `stir` ends a doze on the word.
  template <class Stir>
  void wake(Stir stir) noexcept {
    asleep_.store(0, order::release);
    stir(asleep_);
  }

 private:
  Sleepers& sleepers_;
  unsigned position_;
  Atomic<std::uint32_t> asleep_{0};
};

}  // namespace troupe
