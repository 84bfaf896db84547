// Wheel: a worker's timers, in order of time, without allocating.
//
// A hierarchy of rings: 256 slots of about a millisecond, then three rings of 64 slots, each slot as long as the
// ring below. Arming and cancelling are a few pointer writes, whatever the number of timers. Due times are exact:
// a slot is only where to look, and a timer fires when the clock has reached its own time, so virtual clocks that
// jump from due time to due time see no rounding. It knows no lock: who shares it brings one (Worker::lock).
#pragma once

#include <cstddef>
#include <cstdint>

#include <troupe/core/clock.hpp>

namespace troupe {

struct WheelNode {
  WheelNode* previous = nullptr;
  WheelNode* next = nullptr;
  Instant due = 0;

  [[nodiscard]] bool armed() const noexcept { return next != nullptr; }
};

class Wheel {
 public:
  explicit Wheel(Instant now) noexcept;
  Wheel(const Wheel&) = delete;
  Wheel& operator=(const Wheel&) = delete;

  void arm(WheelNode& node, Instant due) noexcept;
  void cancel(WheelNode& node) noexcept;

  // Unlinks and hands over one node that is due at `now`, or null. Call until null.
  [[nodiscard]] WheelNode* expire(Instant now) noexcept;
  // Unlinks any node, due or not; null: none is left.
  [[nodiscard]] WheelNode* pop() noexcept;
  [[nodiscard]] Instant next_due() const noexcept;
  // A moment at which to look again, no later than that, and found without walking over a far slot's nodes. Whoever
  // sleeps until then and expires gets there in a few steps.
  [[nodiscard]] Instant next_look() const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  static constexpr unsigned tick_shift = 20;  // nanoseconds to ticks: a shift instead of a division
  static constexpr unsigned first_bits = 8;
  static constexpr unsigned ring_bits = 6;
  static constexpr unsigned rings = 3;
  static constexpr unsigned first_slots = 1u << first_bits;
  static constexpr unsigned ring_slots = 1u << ring_bits;
  static constexpr unsigned slots = first_slots + rings * ring_slots;
  static_assert(first_slots == 4 * 64 && ring_slots == 64);  // `next_stop` reads their bits by words

  [[nodiscard]] unsigned slot_of(std::uint64_t tick) const noexcept;
  void link(WheelNode& node) noexcept;
  void unlink(WheelNode& node) noexcept;
  void cascade() noexcept;
  [[nodiscard]] std::uint64_t next_stop(std::uint64_t target) const noexcept;
  [[nodiscard]] std::uint64_t next_used_above(std::uint64_t target) const noexcept;
  [[nodiscard]] Instant earliest_in(unsigned slot) const noexcept;
  [[nodiscard]] Instant earliest_near() const noexcept;

  WheelNode heads_[slots];
  std::uint64_t used_[slots / 64] = {};  // which slots are not empty
  std::uint64_t tick_;
  std::size_t size_ = 0;
};

}  // namespace troupe
