// OwnerLock: for what one thread uses all the time and another one hardly ever.
//
// A worker's ready queue and wheel are its own. But its thread may sit in a long handler, and then somebody else has to
// take over what waits behind that handler. The owner locks for every look at them and pays two plain stores and a
// load; a guest comes hardly ever and pays for both.
//
// Why that is enough. The owner stores `inside_`, then loads `guest_`. A guest stores `guest_`, then calls `barrier`,
// then loads `inside_`. The barrier interrupts every thread of the process once, between two of its instructions, and
// is a full fence there. If the owner's store lies before its interrupt, the guest sees it; if it lies behind, so does
// the owner's load, which then sees the guest. So they are never both inside. Each leaves by a release store that the
// other acquires. The processor may not be asked for more, but the compiler must: `compiler_barrier`.
#pragma once

#include <troupe/core/atomic.hpp>
#include <troupe/core/executor.hpp>

namespace troupe {

class OwnerLock {
 public:
  void lock() noexcept {
    for (;;) {
      inside_.store(true, order::relaxed);
      compiler_barrier();
      if (!guest_.load(order::acquire)) [[likely]]
        return;
      wait_for_guest();
    }
  }
  void unlock() noexcept { inside_.store(false, order::release); }

  // False: the owner is inside, perhaps not running; nobody waits for that.
  template <class Barrier>
  [[nodiscard]] bool enter(Barrier barrier) noexcept {
    guest_.store(true, order::relaxed);
    barrier();
    for (unsigned looks = 0; inside_.load(order::acquire); ++looks) {
      if (looks == most_looks) {
        leave();
        return false;
      }
      spin_pause();
    }
    return true;
  }
  void leave() noexcept { guest_.store(false, order::release); }

 private:
  static constexpr unsigned most_looks = 100;

  [[gnu::cold, gnu::noinline]] void wait_for_guest() noexcept {
    inside_.store(false, order::release);
    while (guest_.load(order::acquire)) {
      spin_pause();
      if (host != nullptr) host->relax();
    }
  }

  Atomic<bool> inside_{false};
  Atomic<bool> guest_{false};
};

// While it lives, its thread owns what the lock guards.
class [[nodiscard]] Owning {
 public:
  explicit Owning(OwnerLock& lock) noexcept : lock_(lock) { lock_.lock(); }
  Owning(const Owning&) = delete;
  Owning& operator=(const Owning&) = delete;
  ~Owning() { lock_.unlock(); }

 private:
  OwnerLock& lock_;
};

}  // namespace troupe
