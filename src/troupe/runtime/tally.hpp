// Tally: how the figures are collected from workers, classes and cells.
#pragma once

#include <troupe/core/kernel.hpp>
#include <troupe/runtime/executor.hpp>
#include <troupe/runtime/figures.hpp>

namespace troupe::tally {

// Types and dispatchers, in one walk over all cells. Approximate while actors run: each word is read by itself.
void add_up(Figures& figures, const Kernel& kernel, SystemExecutor& executor);
[[nodiscard]] ActorFigures of_actor(CellRef actor, Instant now) noexcept;

}  // namespace troupe::tally
