// EventRecord: an event to keep.
//
// An Event is a view that ends with its publication; a record owns its words, so it can wait in a queue,
// travel to an actor as a message, and be read when the actor it speaks of is long gone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <troupe/core/any_ref.hpp>
#include <troupe/core/clock.hpp>
#include <troupe/core/error.hpp>
#include <troupe/core/event.hpp>
#include <troupe/core/supervision.hpp>

namespace troupe {

struct EventRecord {
  EventKind kind{};
  AnyRef actor{};
  AnyRef sender{};
  std::string address{};         // of the actor, as text; empty where nobody can tell
  std::string sender_address{};  // likewise
  std::string actor_type{};
  std::string message{};
  std::optional<Error> error{};
  DeadReason reason = DeadReason::none;
  StopReason stop_reason = StopReason::requested;
  std::uint64_t number = 0;
  Duration duration{};
  Instant at = 0;
};

// The address of an actor as text; empty: it has none. May lock, must not publish.
using AddressOf = std::function<std::string(CellRef)>;

[[nodiscard]] EventRecord record_of(const Event& event, Instant at, const AddressOf& address_of = {});

// One line for a person: "cart:7 failed on AddItem: no such item (failed); sender shop:1".
[[nodiscard]] std::string to_string(const EventRecord& record);

}  // namespace troupe
