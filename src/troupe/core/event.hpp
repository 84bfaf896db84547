// Event: what a system tells about itself.
//
// Layers below the server publish events and never log. The kinds are a closed list; each has a test and a line
// in docs/how-to/observe.md. An Event is a view: it is valid while it is being published.
#pragma once

#include <cstdint>
#include <string_view>

#include <troupe/core/cell.hpp>
#include <troupe/core/clock.hpp>
#include <troupe/core/error.hpp>
#include <troupe/core/supervision.hpp>

namespace troupe {

enum class EventKind : std::uint8_t {
  dead_letter,        // a message no handler saw, or that was refused or dropped; `reason` says why
  failed,             // a handler or hook failed; `directive` is not decided yet
  restarted,          // a new incarnation starts; `number` is its count
  resumed,            // supervision let it go on
  stopped,            // an actor ended; `stop_reason` says why
  start_failed,       // an attempt to start failed; `number` is the attempt
  unstarted,          // it gave up starting
  suspended,          // user messages wait from now on
  unsuspended,        // and go on; `duration` says how long they waited
  mailbox_grown,      // `number` is the new capacity
  reserve_exhausted,  // the slots reserved for high-priority messages are used up too
  back_pressure,      // a sender started to wait for room, or a subscriber fell behind
  stash_full,         // a message could not be stashed
  slow_handler,       // a handler exceeds its time budget; `duration` so far
  late_reply,         // an answer came after its asker stopped waiting
  memory_exhausted,   // a pool had no block for a message, or for something the system needed
  reference_escaped,  // a reference was used after its system ended; told to the systems that live
  stop_hook_failed,   // a stop hook failed or took too long; the actor ended all the same
  not_drained,        // shutdown ended with work left; `number` messages
};
inline constexpr unsigned event_kinds = static_cast<unsigned>(EventKind::not_drained) + 1;
[[nodiscard]] std::string_view to_string(EventKind kind) noexcept;
[[nodiscard]] std::string_view to_string(DeadReason reason) noexcept;

struct Event {
  EventKind kind;
  CellRef actor{};
  CellRef sender{};
  const char* actor_type = "";  // the class, e.g. "Cart"
  const char* message = "";     // the message's type, e.g. "AddItem"
  const Error* error = nullptr;
  DeadReason reason = DeadReason::none;
  StopReason stop_reason = StopReason::requested;
  std::uint64_t number = 0;
  Duration duration{};
};

// Where a kernel's events go. `wants` is asked first, so that an event nobody hears costs a load and a branch.
class EventSink {
 public:
  [[nodiscard]] bool wants(EventKind kind) const noexcept {
    return (interest_.load(std::memory_order_relaxed) >> static_cast<unsigned>(kind) & 1) != 0;
  }
  virtual void publish(const Event& event) noexcept = 0;

 protected:
  ~EventSink() = default;
  Atomic<std::uint32_t> interest_{0};
};

}  // namespace troupe
