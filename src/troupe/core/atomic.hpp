// Atomic: where all lock-free code of Troupe takes its atomics from.
//
// Normally this is std::atomic and nothing else. Compiled with TROUPE_INTERLEAVE it is the type of the
// interleaving checker (tests/interleave/checker.hpp), which runs the same code under every schedule that
// matters.
//
// There are no standalone fences in Troupe: the checker does not know them, and ThreadSanitizer neither.
#pragma once

#include <atomic>

#ifdef TROUPE_INTERLEAVE
#include <tests/interleave/atomic.hpp>
#endif

namespace troupe {

#ifdef TROUPE_INTERLEAVE
template <class T>
using Atomic = interleave::CheckedAtomic<T>;
#else
template <class T>
using Atomic = std::atomic<T>;
#endif

namespace order {
inline constexpr auto relaxed = std::memory_order_relaxed;
inline constexpr auto acquire = std::memory_order_acquire;
inline constexpr auto release = std::memory_order_release;
inline constexpr auto acq_rel = std::memory_order_acq_rel;
inline constexpr auto seq_cst = std::memory_order_seq_cst;
}  // namespace order

// The compiler keeps what stands before it before what stands behind it. The processor may do as it likes; somebody else
// orders that: owner_lock.hpp. The checker delays stores and never loads, so it needs nothing here.
inline void compiler_barrier() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

// Belongs into every loop that waits for another thread by looking again and again. It spares the other half
// of the core, and it tells the checker that repeating the look is no progress.
inline void spin_pause() noexcept {
#if defined(TROUPE_INTERLEAVE)
  interleave::yield();
#elif defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || (defined(__ARM_ARCH) && __ARM_ARCH >= 7)
  asm volatile("yield");
#endif
}

}  // namespace troupe
