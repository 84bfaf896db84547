// Lifecycle messages: an actor hears of them if it has an overload, `void on(const Started&)` and the like.
//
// Each may return void, Result<void> or Task<void> and take a Context. They are turns of their own; none counts as a
// message.
#pragma once

#include <optional>

#include <troupe/core/any_ref.hpp>
#include <troupe/core/error.hpp>
#include <troupe/core/supervision.hpp>

namespace troupe {

// Before the first message of an instance. If it fails, the start fails.
struct Started {
  unsigned attempt;      // counts from 1
  unsigned incarnation;  // 0 for the first instance, one more with each restart
};

// After the last message. A failure here is published, not supervised.
struct Stopping {
  StopReason reason;
  bool forced;
  bool restarting;     // for a class without a Restarting overload
  const Error* error;  // null: there was none
};

// Instead of Stopping when a new instance follows, or the same one goes on (in place).
struct Restarting {
  const Error* error;
};

// A child failed; supervision has decided already.
struct ChildFailed {
  AnyRef child;
  Directive decided;
  Error error;
  const char* message;
};

// An actor this one watches has ended.
struct Terminated {
  AnyRef who;
  StopReason reason;
  bool forced;
  std::optional<Error> error;
};

}  // namespace troupe
