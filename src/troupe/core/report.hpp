// Reports: how an actor tells its parent that it failed or ended, and what the parent decides.
//
// The first report puts a child on its parent's list of reporters; whoever finds that list empty tags the parent's word.
// A newer report overwrites an older one. The parent takes the whole list with one exchange and clears `queued` before
// it reads, so a child that reports again in that moment queues itself again.
#pragma once

#include <troupe/core/side.hpp>
#include <troupe/core/worker.hpp>

namespace troupe::reports {

inline constexpr std::uint32_t queued = 1u << 16;  // the low bits: the incarnation that failed
inline constexpr std::uint32_t failed = 1u << 17;
inline constexpr std::uint32_t in_start = 1u << 18;
inline constexpr std::uint32_t ended = 1u << 19;

void send_failure(Worker& worker, Cell& child, bool failed_in_start) noexcept;
// The child must not be touched afterwards: its parent may have given the cell to somebody else.
void send_end(Worker& worker, Cell& child) noexcept;

// Roots may be spawned by anybody: they queue up here until the guardian takes them into its list.
void join_guardian(Worker& worker, Cell& guardian, Cell& root) noexcept;
void adopt_newcomers(Cell& guardian) noexcept;
void link_child(Cell& parent, Cell& child) noexcept;
// A child that has closed leaves its parent's list and gives its cell back.
void release_child(Worker& worker, Side& parent, Cell& child) noexcept;

}  // namespace troupe::reports
