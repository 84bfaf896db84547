// What a suspended turn waits for, and how it goes on.
//
// Only `advance` and a task's nested first step resume a coroutine: no symmetric transfer, so 100,000 awaits in a
// loop need no stack. Answers are looked up, never followed: a reply names its await by serial, and the cell finds it
// among its open awaits or drops the reply as late. A pointer could name a frame that a restart destroyed.
#pragma once

#include <coroutine>
#include <cstdint>
#include <utility>

#include <troupe/core/cell.hpp>
#include <troupe/core/clock.hpp>
#include <troupe/core/error.hpp>

namespace troupe {

// In Cell::waits: an ending parent waits for its children, whichever they are.
inline constexpr std::uint64_t ending_edge = 1;

struct PromiseBase {
  PromiseBase* parent = nullptr;                            // the task that awaits this one; null: a turn's root
  bool (*settle)(PromiseBase* self, Cell* cell) = nullptr;  // hands the result up; true: resume the parent
  std::coroutine_handle<> self;
  Envelope* turn = nullptr;  // of the root: the message being handled
  bool finished = false;
};

// Goes on with a suspended task, and with those above it as each one finishes.
inline void advance(PromiseBase* promise, Cell* cell) {
  if (!promise->finished) promise->self.resume();
  while (promise->finished) {
    PromiseBase* above = promise->parent;
    const bool go_on = promise->settle(promise, cell);
    if (above == nullptr) return;
    promise = above;
    if (go_on) promise->self.resume();
  }
}

[[nodiscard]] inline PromiseBase* root_of(PromiseBase* promise) noexcept {
  while (promise->parent != nullptr) promise = promise->parent;
  return promise;
}

// Lies in the frame of a suspended turn, linked into its cell's open list.
class Awaiter {
 public:
  Awaiter() noexcept = default;
  Awaiter(const Awaiter&) = delete;
  Awaiter& operator=(const Awaiter&) = delete;
  ~Awaiter() { leave(); }

  void enter(Cell& cell) noexcept {
    next = cell.open;
    link = &cell.open;
    if (next != nullptr) next->link = &next;
    cell.open = this;
    // An edge shows the low half, and zero stands for an end's (ending_edge).
    if (static_cast<std::uint16_t>(++cell.serial) == 0) ++cell.serial;
    serial = cell.serial;
  }
  void leave() noexcept {
    if (link == nullptr) return;
    *link = next;
    if (next != nullptr) next->link = link;
    link = nullptr;
  }

  Awaiter* next = nullptr;
  Awaiter** link = nullptr;
  PromiseBase* waiting = nullptr;  // null: the value may come before anybody awaits it
  // Called when a value or, with an error, a failure is in place: unwraps it for a plain co_await.
  void (*settle)(Awaiter* self, Error* error) = nullptr;
  Instant due = end_of_time;
  Deliver asked = nullptr;  // names whom and what, for the words of a timeout
  std::uint32_t serial = 0;
  bool arrived = false;  // the value came while the actor was failed; it goes on at resume
};

template <class R>
class ValueAwaiter : public Awaiter {
 public:
  Result<R> value{std::unexpect, Code::cancelled};
};

[[nodiscard]] inline Awaiter* find_awaiter(Cell& cell, std::uint32_t serial) noexcept {
  Awaiter* awaiter = cell.open;
  while (awaiter != nullptr && awaiter->serial != serial) awaiter = awaiter->next;
  return awaiter;
}

// A value has been put into the awaiter: go on now, or at resume.
void arrive(Worker& worker, Cell& cell, Awaiter& awaiter);
// Awaits with a deadline: a tick is armed at or before it. False: no memory for one.
[[nodiscard]] bool watch_deadline(Worker& worker, Cell& cell, Instant due) noexcept;
// The tick came: awaits that are overdue fail with a timeout.
void expire_overdue(Worker& worker, Cell& cell);

}  // namespace troupe
