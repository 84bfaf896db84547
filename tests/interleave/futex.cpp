// The futex of the runtime, for code under the checker: time does not pass, so a wait ends only by a wake-up.
#include <troupe/runtime/futex.hpp>

#include <tests/interleave/checker.hpp>

namespace troupe::futex {

void wait(Atomic<std::uint32_t>& word, std::uint32_t expected, Duration) noexcept { interleave::wait(word, expected); }
void wait(Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept { interleave::wait(word, expected); }
void wake_one(Atomic<std::uint32_t>& word) noexcept { interleave::wake(word, 1); }

}  // namespace troupe::futex
