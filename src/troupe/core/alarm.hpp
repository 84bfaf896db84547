// Alarm: something that happens to one actor at one time.
//
// An alarm lies in the wheel of the worker that armed it and in its actor's book. The actor may have moved to another
// worker when it cancels, and unlinking from a foreign wheel would be a race. So `state` decides: whoever moves it from
// armed, the wheel by firing or the actor by cancelling, owns what follows; an alarm that was cancelled elsewhere
// goes back to its home worker, which unlinks and frees it. While the home worker is held up in a handler, a guest
// fires what is due in its wheel.
#pragma once

#include <cstdint>

#include <troupe/core/cell.hpp>
#include <troupe/core/clock.hpp>
#include <troupe/core/wheel.hpp>
#include <troupe/core/worker.hpp>

namespace troupe {

struct alignas(16) Alarm {
  enum class Kind : std::uint8_t {
    timer,      // delivers a message, as a tick of the high lane
    deadlines,  // some await may be overdue
    retry,      // the delay before the next attempt to start is over
    give_up,    // the end hook had its time
  };
  enum class State : std::uint8_t { armed, fired, cancelled };

  Envelope envelope;
  WheelNode node;
  Cell* cell;
  Worker* home;
  Alarm* next;  // in its chain of the actor's book
  Alarm* previous;
  Alarm* next_cancelled;
  std::uint64_t key;
  Duration period;  // zero: once
  Kind kind;
  bool listed;  // the actor still wants it
  Atomic<State> state;

  [[nodiscard]] void* message() noexcept { return this + 1; }
  [[nodiscard]] static Alarm& of(Envelope& envelope) noexcept { return reinterpret_cast<Alarm&>(envelope); }
};

namespace alarms {

// Makes and arms an alarm of the running actor; null: no memory. The message, if any, is built by the caller.
[[nodiscard]] Alarm* make(Worker& worker, Cell& cell, Alarm::Kind kind, std::size_t message_bytes, Deliver deliver,
                          std::uint64_t key = 0) noexcept;
void arm(Worker& worker, Alarm& alarm, Instant due) noexcept;

// The actor no longer wants it.
void cancel(Worker& worker, Cell& cell, Alarm& alarm) noexcept;
void cancel_all(Worker& worker, Cell& cell) noexcept;
[[nodiscard]] Alarm* find(Cell& cell, std::uint64_t key) noexcept;

// A fired alarm came to its actor, which is done with it: a periodic timer is armed anew, all else is freed.
void finish(Worker& worker, Cell& cell, Alarm& alarm) noexcept;
void destroy(Worker& worker, Alarm& alarm) noexcept;

// Once a batch: fires what is due and frees what other workers cancelled.
void fire_due(Worker& worker) noexcept;
// When it is worth looking again.
[[nodiscard]] Instant next_look(Worker& worker) noexcept;
// Fires one alarm that is due; false: none is.
bool fire_next(Worker& worker) noexcept;
// As a guest inside the lock of `home`: takes alarms that are due at `now` out of its wheel. Outside of it they are fired.
struct Due {
  static constexpr unsigned most = 256;
  Alarm* alarms[most];
  unsigned count = 0;
};
void take_due(Worker& home, Instant now, Due& due) noexcept;
void fire(Worker& by, Alarm& alarm) noexcept;
// At the end of a system: all that is still in this worker's wheel goes.
void discard_all(Worker& worker) noexcept;

}  // namespace alarms
}  // namespace troupe
