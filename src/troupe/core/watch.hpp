// Watch: one actor wants to know when another one ends.
//
// A watch is one block that travels. To the target as a request; it waits in the target's list; and at the end it comes
// back as the notice itself, so nothing is allocated to say that somebody died. Its second envelope goes after it
// when the watcher changes its mind. If that is refused, the target has closed and the notice is on its way: then the
// watcher frees the block when it arrives. So exactly one side frees it.
#pragma once

#include <troupe/core/lifecycle.hpp>
#include <troupe/core/worker.hpp>

namespace troupe {

struct Watch {
  Envelope notice;
  Terminated message;
  alignas(64) Envelope unwatch;
  CellRef target;
  Watch* next_watcher;  // in the target's list
  Watch* previous_watcher;
  Watch* next_watch;  // in the watcher's list
  Watch* previous_watch;
  void* spare;     // memory for the target's side block, which has to keep the list
  bool forgotten;  // by the watcher; only it looks

  [[nodiscard]] static Watch& of_notice(Envelope& envelope) noexcept { return reinterpret_cast<Watch&>(envelope); }
  [[nodiscard]] static Watch& of_unwatch(Envelope& envelope) noexcept;
};

namespace watches {

// The running actor watches another; a second watch of the same life is the first. False: no memory.
bool watch(Worker& worker, Cell& watcher, CellRef target) noexcept;
void unwatch(Worker& worker, Cell& watcher, CellRef target) noexcept;
// The watcher's instance ends: it forgets all its watches.
void forget_all(Worker& worker, Cell& watcher) noexcept;
// The target has closed: everybody in this list is told. Takes the list's first watch.
void tell_all(Worker& worker, Watch* first, CellRef target, StopReason reason, bool forced,
              const std::optional<Error>& error) noexcept;

// The target was cut off: watches of its own system go, others are told.
void discard_all(Worker& worker, Watch* first, Cell& target) noexcept;

}  // namespace watches
}  // namespace troupe
