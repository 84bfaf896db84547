// A thread waits for a word to change; another one wakes it.
#pragma once

#include <cstdint>

#include <troupe/core/atomic.hpp>
#include <troupe/core/clock.hpp>

namespace troupe::futex {

// Sleeps while the word holds `expected`, at most until `length` has passed; may return early.
void wait(Atomic<std::uint32_t>& word, std::uint32_t expected, Duration length) noexcept;
void wait(Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;
void wake_one(Atomic<std::uint32_t>& word) noexcept;

}  // namespace troupe::futex
