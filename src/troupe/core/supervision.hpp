// Supervision: what becomes of an actor that failed, and of one that could not start.
//
// The policy stands in an actor's own Props and is applied by its parent, a root's by the system. Without one a
// failed actor stops. A decider is a pure function of the error and the message's name; it sees neither actor,
// so it can be tested by calling it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include <troupe/core/clock.hpp>
#include <troupe/core/error.hpp>

namespace troupe {

enum class Directive : std::uint8_t {
  restart,           // a new instance from the factory
  restart_in_place,  // the same instance goes on; its children, timers, watches and open turns end
  stop,
  resume,    // as if nothing had happened
  escalate,  // stop, and fail the parent with the same cause
};
[[nodiscard]] std::string_view to_string(Directive directive) noexcept;

// Why an actor ended. A closed list (AR-23).
enum class StopReason : std::uint8_t {
  requested,
  parent_stopped,
  failed,
  restarts_exhausted,
  sibling_failed,
  escalated,
  shutdown,
  idle,
};
[[nodiscard]] std::string_view to_string(StopReason reason) noexcept;

using Decider = Directive (*)(const Error& error, std::string_view message);

class Policy {
 public:
  enum class Scope : std::uint8_t { one, all };

  constexpr Policy() noexcept = default;  // no policy: stop
  constexpr Policy(Scope scope, Directive directive) noexcept : directive_(directive), scope_(scope) {}

  // At most so many restarts in a sliding window; the next one stops the actor for good.
  [[nodiscard]] constexpr Policy at_most(std::uint16_t restarts, Duration window) const noexcept {
    Policy changed = *this;
    changed.restarts_ = restarts;
    changed.window_ = window;
    return changed;
  }
  [[nodiscard]] constexpr Policy decided_by(Decider decider) const noexcept {
    Policy changed = *this;
    changed.decider_ = decider;
    return changed;
  }
  // The message that failed is sent again, in front, to the new instance.
  [[nodiscard]] constexpr Policy redelivering() const noexcept {
    Policy changed = *this;
    changed.redelivers_ = true;
    return changed;
  }

  // A fatal error means that a new instance would not help: only a decider may say otherwise.
  [[nodiscard]] Directive decide(const Error& error, std::string_view message) const noexcept {
    if (decider_ != nullptr) return decider_(error, message);
    return error.severity() == Severity::fatal ? Directive::stop : directive_;
  }
  [[nodiscard]] constexpr Scope scope() const noexcept { return scope_; }
  [[nodiscard]] constexpr std::uint16_t restarts() const noexcept { return restarts_; }
  [[nodiscard]] constexpr Duration window() const noexcept { return window_; }
  [[nodiscard]] constexpr bool redelivers() const noexcept { return redelivers_; }
  [[nodiscard]] constexpr bool may_restart() const noexcept {
    return decider_ != nullptr || directive_ == Directive::restart || directive_ == Directive::restart_in_place;
  }

 private:
  Decider decider_ = nullptr;
  Duration window_ = std::chrono::seconds(60);
  std::uint16_t restarts_ = 5;
  Directive directive_ = Directive::stop;
  Scope scope_ = Scope::one;
  bool redelivers_ = false;
};

[[nodiscard]] constexpr Policy one_for_one(Directive directive = Directive::restart) noexcept {
  return {Policy::Scope::one, directive};
}
// Binds the children of one parent whose policy says so too: when one restarts or stops, all of them do.
[[nodiscard]] constexpr Policy all_for_one(Directive directive = Directive::restart) noexcept {
  return {Policy::Scope::all, directive};
}
// A failed message is forgotten and the actor goes on; a fatal error stops it.
[[nodiscard]] constexpr Policy resume_on_error() noexcept { return {Policy::Scope::one, Directive::resume}; }

// What to do after a failed start: try again at once, after a while, or give up. An actor that gave up stays
// `unstarted`: it answers every message with the reason and starts again when told that its configuration changed.
struct StartFailure {
  unsigned attempt;  // counts from 1
  const Error& error;
  Duration elapsed;  // since the first attempt
};
struct StartAction {
  enum class Kind : std::uint8_t { again, give_up } kind = Kind::give_up;
  Duration delay{};
};
[[nodiscard]] constexpr StartAction start_again(Duration delay = {}) noexcept {
  return {StartAction::Kind::again, delay};
}
[[nodiscard]] constexpr StartAction give_up() noexcept { return {}; }

class StartPolicy {
 public:
  using Decide = StartAction (*)(const StartFailure& failure);

  constexpr StartPolicy() noexcept = default;  // none: a failed start is a failure like any other
  constexpr explicit StartPolicy(Decide decider) noexcept : decide_(decider) {}

  [[nodiscard]] constexpr StartPolicy at_most(unsigned attempts, Duration within) const noexcept {
    StartPolicy changed = *this;
    changed.attempts_ = attempts;
    changed.within_ = within;
    return changed;
  }

  [[nodiscard]] constexpr bool present() const noexcept { return decide_ != nullptr; }
  [[nodiscard]] StartAction decide(const StartFailure& failure) const noexcept {
    if (failure.error.severity() == Severity::fatal) return give_up();
    if (failure.attempt >= attempts_ || failure.elapsed >= within_) return give_up();
    return decide_(failure);
  }

 private:
  Decide decide_ = nullptr;
  Duration within_ = std::chrono::minutes(10);
  unsigned attempts_ = 10;
};

// 5 s after the first failure, 10 s after the second …; at most 10 attempts and 10 minutes.
[[nodiscard]] constexpr StartPolicy retry_start() noexcept {
  return StartPolicy([](const StartFailure& failure) {
    return start_again(std::chrono::seconds(5) * static_cast<std::int64_t>(failure.attempt));
  });
}

}  // namespace troupe
