// Budget: at most so many restarts of one actor in a sliding window.
//
// It belongs to the cell and is written by the parent alone. Without memory for its ring the budget counts as spent:
// an actor that cannot be counted is not restarted for ever.
#pragma once

#include <troupe/core/cell.hpp>
#include <troupe/core/clock.hpp>
#include <troupe/core/supervision.hpp>
#include <troupe/core/worker.hpp>

namespace troupe {

struct Budget {
  Duration window;
  std::uint16_t most;
  std::uint16_t size;
  std::uint16_t first;
  SizeClass size_class;

  [[nodiscard]] Instant* times() noexcept { return reinterpret_cast<Instant*>(this + 1); }
};

namespace budgets {

[[nodiscard]] Budget* make(Worker& worker, const Policy& policy) noexcept;
void free(Worker& worker, Budget& budget) noexcept;
[[nodiscard]] bool has_room(Cell& cell, Instant now) noexcept;
void charge(Cell& cell, Instant now) noexcept;

}  // namespace budgets
}  // namespace troupe
