#include <troupe/runtime/event_record.hpp>

#include <string_view>

namespace troupe {

namespace {

std::string address_in(const AddressOf& address_of, CellRef cell) {
  return address_of && AnyRef(cell).names_somebody() ? address_of(cell) : std::string();
}

std::string who(const EventRecord& record) {
  if (!record.address.empty()) return record.address;
  if (!record.actor_type.empty()) return record.actor_type;
  return record.actor ? "an actor" : "nobody";
}

std::string what(const EventRecord& record) { return record.message.empty() ? "a message" : record.message; }

std::string in_brackets(std::string_view words) { return " (" + std::string(words) + ")"; }

std::string length(Duration duration) {
  const auto count = duration.count();
  if (count < 10'000) return std::to_string(count) + "ns";
  if (count < 10'000'000) return std::to_string(count / 1'000) + "us";
  if (count < 10'000'000'000) return std::to_string(count / 1'000'000) + "ms";
  return std::to_string(count / 1'000'000'000) + "s";
}

// Who waits, and for what: only a hint of the event stream names a message.
std::string back_pressure(const EventRecord& record) {
  if (!record.actor)
    return "a subscriber fell behind: its room for " + std::to_string(record.number) + " events is full";
  if (!record.message.empty()) return who(record) + " fell behind with " + record.message + ": its mailbox is full";
  return "a sender waits for room in the mailbox of " + who(record);
}

std::string phrase(const EventRecord& record) {
  const std::string number = std::to_string(record.number);
  switch (record.kind) {
    case EventKind::dead_letter:
      return what(record) + " for " + who(record) + " was not handled" + in_brackets(to_string(record.reason));
    case EventKind::failed:
      return who(record) + " failed on " + what(record);
    case EventKind::restarted:
      return who(record) + " restarted" + in_brackets("incarnation " + number);
    case EventKind::resumed:
      return who(record) + " goes on after a failure";
    case EventKind::stopped:
      return who(record) + " stopped" + in_brackets(to_string(record.stop_reason));
    case EventKind::start_failed:
      return who(record) + " could not start" + in_brackets("attempt " + number);
    case EventKind::unstarted:
      return who(record) + " gave up starting until start_again";
    case EventKind::suspended:
      return who(record) + " is suspended";
    case EventKind::unsuspended:
      return who(record) + " goes on after " + length(record.duration) + " of suspension";
    case EventKind::mailbox_grown:
      return "the mailbox of " + who(record) + " grew to " + number;
    case EventKind::reserve_exhausted:
      return who(record) + " has no slot left for a high-priority message, of " + number;
    case EventKind::back_pressure:
      return back_pressure(record);
    case EventKind::stash_full:
      return who(record) + " could not stash " + what(record) + ": its stash is full";
    case EventKind::slow_handler:
      return who(record) + " handles " + what(record) + " for " + length(record.duration) + " already";
    case EventKind::late_reply:
      return "a reply came after " + who(record) + " stopped waiting for it";
    case EventKind::memory_exhausted:
      return "there is no memory for what " + who(record) + " needs" +
             (record.message.empty() ? "" : in_brackets(record.message)) + ": raise the system's limits";
    case EventKind::reference_escaped:
      return what(record) + " was sent to " + who(record) + " after its system ended";
    case EventKind::stop_hook_failed:
      return "the stop hook of " + who(record) + " failed";
    case EventKind::not_drained:
      return "shutdown left " + number + " messages unhandled";
  }
  return "an unknown event";
}

}  // namespace

EventRecord record_of(const Event& event, Instant at, const AddressOf& address_of) {
  return {.kind = event.kind,
          .actor = AnyRef(event.actor),
          .sender = AnyRef(event.sender),
          .address = address_in(address_of, event.actor),
          .sender_address = address_in(address_of, event.sender),
          .actor_type = event.actor_type,
          .message = event.message,
          .error = event.error == nullptr ? std::nullopt : std::optional<Error>(*event.error),
          .reason = event.reason,
          .stop_reason = event.stop_reason,
          .number = event.number,
          .duration = event.duration,
          .at = at};
}

std::string to_string(const EventRecord& record) {
  std::string line = phrase(record);
  if (record.error.has_value()) {
    const std::string code(to_string(record.error->code()));
    line += ": ";
    line += record.error->text().empty() ? code : std::string(record.error->text()) + in_brackets(code);
  }
  if (!record.sender_address.empty()) line += "; sender " + record.sender_address;
  return line;
}

}  // namespace troupe
