// Operation: one thing that a thread does to shared memory, or asks of the scheduler.
#pragma once

#include <atomic>
#include <cstdint>

#include <tests/interleave/atomic.hpp>

namespace troupe::interleave {

inline constexpr unsigned max_threads = 4;
using Threads = std::uint8_t;  // a set of threads, one bit each

[[nodiscard]] constexpr Threads only(unsigned thread) noexcept { return static_cast<Threads>(1u << thread); }
[[nodiscard]] constexpr bool contains(Threads set, unsigned thread) noexcept { return (set >> thread & 1u) != 0; }

enum class Kind : std::uint8_t {
  load,
  store,
  update,
  compare_exchange,
  flush,  // a delayed store reaches memory
  membarrier,
  step,
  yield,
  wait,
  resume,  // the rest of a wait, once woken
  wake,
};

struct Operation {
  Kind kind{};
  model::Update update{};
  bool weak = false;  // of a compare-and-swap: may fail without a reason
  std::memory_order order = std::memory_order_seq_cst;
  model::Cell cell{nullptr, 0};
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;
};

[[nodiscard]] constexpr bool releases(std::memory_order order) noexcept {
  return order == std::memory_order_release || order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}

// Hashes are chained: a history is one number.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t history, std::uint64_t event) noexcept {
  std::uint64_t mixed = ((history << 23 | history >> 41) + 0x9e3779b97f4a7c15u) ^ event;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
  return mixed ^ mixed >> 31;
}

}  // namespace troupe::interleave
