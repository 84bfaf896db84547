// The life of an actor, from spawn to the last notice.
//
//   starting ──Started ended──▶ running ──failure──▶ failed ──resume──▶ running
//      │  ▲                        │                   │
//      │  └─ waiting (retry) ◀──┐  └──stop, restart────┴──▶ ending(next)
//      └─start failed───────────┴─▶ unstarted                  │
//                                                              ▼  children end, end hook, instance destroyed
//                                              closed, starting, waiting or unstarted, as `next` says
//
// One principle decides most cases: what the instance made goes with it; what others hold on the cell stays.
// States are plain fields of the owner. Orders come from anybody through the cell's `orders` word, reports go to the
// parent through its `report` word and one link; nothing is allocated to report, order or end.
//
// Control (orders, reports, watches, replies) is acted on in every state, between two pieces of user code. Notices
// (Terminated, ChildFailed) are turns and wait for one. docs/explanation/life.md has every rule with its reason.
#pragma once

#include <cstdint>

#include <troupe/core/error.hpp>
#include <troupe/core/kernel.hpp>
#include <troupe/core/options.hpp>
#include <troupe/core/side.hpp>

namespace troupe::life {

// The side block, made on demand; null: no memory.
[[nodiscard]] Side* side_of(Worker& worker, Cell& cell) noexcept;
// The same in memory that was allocated for it before, for a cell that has none.
[[nodiscard]] Side& open_side(Cell& cell, void* memory) noexcept;

struct Birth {
  const ActorClass* actor_class;
  Recipe* recipe;
  Cell* parent;                // the running actor, or the guardian for a root
  const void* name = nullptr;  // a record of the Directory
  std::uint8_t dispatcher = 0;
};
// Opens a cell and schedules its start; the factory runs in the actor's own first turn. On error the recipe is the
// caller's still.
[[nodiscard]] Result<CellRef> spawn(Worker& worker, const Birth& birth) noexcept;

// A handler or hook failed, or a child escalated.
void fail(Worker& worker, Cell& cell, Error error, const char* message, CellRef sender) noexcept;
// A lifecycle hook has ended.
void hook_ended(Worker& worker, Cell& cell, Result<void>&& result) noexcept;

// Owner, when the word's tags say so.
void take_orders(Worker& worker, Cell& cell) noexcept;
void take_reports(Worker& worker, Cell& cell) noexcept;

// Owner: the next step of starting or ending. `waiting`: nothing can be done now; `gone`: the cell has closed.
enum class Step : std::uint8_t { made, waiting, gone };
[[nodiscard]] Step start(Worker& worker, Cell& cell) noexcept;
[[nodiscard]] Step end(Worker& worker, Cell& cell) noexcept;
// An alarm of the life itself came.
void retry_is_due(Worker& worker, Cell& cell) noexcept;
void hook_is_overdue(Worker& worker, Cell& cell) noexcept;

// The limits an actor in this state has.
[[nodiscard]] const MailboxOptions& mailbox_of(const Cell& cell) noexcept;

// What an asker is told whose message no handler will see.
[[nodiscard]] Error reason_as_error(DeadReason reason, const char* actor, const Cell& cell) noexcept;
[[nodiscard]] Error drop_error(const Envelope& envelope, const Cell& cell) noexcept;

}  // namespace troupe::life
