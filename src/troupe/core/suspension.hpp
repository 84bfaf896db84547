// Suspension: user messages wait, system messages flow. How often and how long is measured with the system's clock.
#pragma once

#include <troupe/core/cell.hpp>
#include <troupe/core/worker.hpp>

namespace troupe::suspensions {

// Owner: begins or ends one, as its orders say.
void follow(Worker& worker, Cell& cell, bool wanted) noexcept;
// Owner: the actor ends, and with it a suspension that nobody ended.
void close(Worker& worker, Cell& cell) noexcept;

}  // namespace troupe::suspensions
