// Clock and Random: the two outside things that core itself needs.
//
// Code above never reads a clock or draws a number by itself: production, the simulator and a microcontroller
// each bring their own. Interfaces in core have protected non-virtual destructors, so that no object of core
// refers to operator delete.
#pragma once

#include <chrono>
#include <cstdint>

namespace troupe {

using Duration = std::chrono::nanoseconds;

// Nanoseconds of a system's monotonic clock. It starts anywhere and never goes back.
using Instant = std::uint64_t;
inline constexpr Instant end_of_time = ~Instant{0};

[[nodiscard]] constexpr Instant after(Instant start, Duration duration) noexcept {
  const auto count = duration.count();
  if (count <= 0) return start;
  const auto length = static_cast<Instant>(count);
  return length >= end_of_time - start ? end_of_time - 1 : start + length;
}

class Clock {
 public:
  [[nodiscard]] virtual Instant now() noexcept = 0;
  [[nodiscard]] virtual std::chrono::sys_time<Duration> wall() noexcept = 0;

 protected:
  ~Clock() = default;
};

class Random {
 public:
  [[nodiscard]] virtual std::uint64_t next() noexcept = 0;

 protected:
  ~Random() = default;
};

// A small generator for simulations and tests: equal seeds, equal sequences, on every platform.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) noexcept : state_(seed) {}

  [[nodiscard]] std::uint64_t next() noexcept override {
    std::uint64_t mixed = (state_ += 0x9e3779b97f4a7c15u);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
  }
  // A number below the bound.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) noexcept { return bound == 0 ? 0 : next() % bound; }

 private:
  std::uint64_t state_;
};

}  // namespace troupe
