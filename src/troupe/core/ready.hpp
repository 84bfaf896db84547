// ReadyQueue: the only door by which an actor becomes runnable.
//
// How long actors wait is measured here. A cell is stamped when it enters and looked at when it leaves, with the clock
// that its worker read at the start of the batch: nothing is read for a message. Mail that is held back, because its
// actor is suspended or waits for an answer, keeps its stamp whatever else makes the actor runnable, so that the
// figures can say how old it is.
#pragma once

#include <cstdint>
#include <utility>

#include <troupe/core/cell.hpp>
#include <troupe/core/clock.hpp>
#include <troupe/core/counters.hpp>

namespace troupe {

// About a millisecond: 32 bits of it tell 26 days from the future, and the rounding of many evens out.
using Stamp = std::uint32_t;
inline constexpr unsigned stamp_shift = 20;
[[nodiscard]] constexpr Stamp stamp_at(Instant now) noexcept { return static_cast<Stamp>(now >> stamp_shift); }
[[nodiscard]] constexpr Duration stamped_time(std::uint64_t units) noexcept {
  return Duration(static_cast<Duration::rep>(units << stamp_shift));
}
// Another worker's clock may be ahead of this one's: that is no time at all.
[[nodiscard]] constexpr Stamp since(Stamp stamp, Instant now) noexcept {
  const Stamp units = stamp_at(now) - stamp;
  return static_cast<std::int32_t>(units) > 0 ? units : 0;
}

// For the cell's owner.
[[nodiscard]] inline bool holds_mail_back(const Cell& cell) noexcept { return cell.blocked != 0 && !cell.mail.empty(); }
inline void stamp_ready(Cell& cell, Instant now) noexcept {
  if (!holds_mail_back(cell)) cell.stamp.store(stamp_at(now), order::relaxed);
}
// How long the cell stood in the queue; counted for the worker that takes it.
inline Stamp count_wait(const Cell& cell, Instant now, Counters& counters) noexcept {
  const Stamp waited = holds_mail_back(cell) ? 0 : since(cell.stamp.load(order::relaxed), now);
  if (waited == 0) return 0;
  counters.waited.add(waited);
  counters.longest_wait.raise_to(waited);
  return waited;
}

class ReadyQueue {
 public:
  // Returns how many wait now.
  std::uint32_t push(Cell* cell) noexcept {
    cell->next_ready = nullptr;
    (first_ == nullptr ? first_ : last_->next_ready) = cell;
    last_ = cell;
    return ++size_;
  }
  [[nodiscard]] Cell* pop() noexcept {
    Cell* cell = first_;
    if (cell == nullptr) return nullptr;
    first_ = cell->next_ready;
    --size_;
    return cell;
  }
  // The deterministic executor runs them in any order.
  [[nodiscard]] Cell* pop_at(std::uint32_t index) noexcept;
  // All of them, oldest first.
  [[nodiscard]] Cell* take() noexcept {
    size_ = 0;
    return std::exchange(first_, nullptr);
  }
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

 private:
  Cell* first_ = nullptr;
  Cell* last_ = nullptr;
  std::uint32_t size_ = 0;
};

}  // namespace troupe
