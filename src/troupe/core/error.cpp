#include <troupe/core/error.hpp>

#include <iterator>

#include <troupe/core/event.hpp>
#include <troupe/core/guard.hpp>
#include <troupe/core/receipt.hpp>
#include <troupe/core/supervision.hpp>

#if defined(__cpp_exceptions)
#include <exception>
#endif

namespace troupe {

namespace {

// Enumerations are printed by table; a value beyond it is a bug that must still print.
template <std::size_t N>
std::string_view word(const std::string_view (&words)[N], unsigned index) noexcept {
  return index < N ? words[index] : std::string_view("?");
}

}  // namespace

std::string_view to_string(Code code) noexcept {
  static constexpr std::string_view words[] = {"invalid",   "denied",    "not_found",   "already_exists", "conflict",
                                               "full",      "dropped",   "stopped",     "not_started",    "timeout",
                                               "cycle",     "cancelled", "unsupported", "unavailable",    "failed",
                                               "corrupted", "exhausted"};
  return word(words, static_cast<unsigned>(code));
}

std::string_view to_string(Severity severity) noexcept {
  static constexpr std::string_view words[] = {"refusal", "failure", "fatal"};
  return word(words, static_cast<unsigned>(severity));
}

std::string_view to_string(Directive directive) noexcept {
  static constexpr std::string_view words[] = {"restart", "restart_in_place", "stop", "resume", "escalate"};
  return word(words, static_cast<unsigned>(directive));
}

std::string_view to_string(StopReason reason) noexcept {
  static constexpr std::string_view words[] = {"requested",      "parent_stopped", "failed",   "restarts_exhausted",
                                               "sibling_failed", "escalated",      "shutdown", "idle"};
  return word(words, static_cast<unsigned>(reason));
}

std::string_view to_string(Fate fate) noexcept {
  static constexpr std::string_view words[] = {"accepted",  "full",        "dropped",  "stopped",
                                               "not_found", "not_started", "exhausted"};
  return word(words, static_cast<unsigned>(fate));
}

std::string_view to_string(DeadReason reason) noexcept {
  static constexpr std::string_view words[] = {"none",        "full",         "dropped",   "stopped", "not_found",
                                               "not_started", "start_failed", "restarted", "refused", "expired"};
  return word(words, static_cast<unsigned>(reason));
}

std::string_view to_string(EventKind kind) noexcept {
  static constexpr std::string_view words[] = {
      "dead_letter", "failed",       "restarted",   "resumed",          "stopped",           "start_failed",
      "unstarted",   "suspended",    "unsuspended", "mailbox_grown",    "reserve_exhausted", "back_pressure",
      "stash_full",  "slow_handler", "late_reply",  "memory_exhausted", "reference_escaped", "stop_hook_failed",
      "not_drained"};
  static_assert(std::size(words) == event_kinds);
  return word(words, static_cast<unsigned>(kind));
}

#if defined(__cpp_exceptions)
namespace detail {

Error caught() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    // A thrown error counts as a failure even where the same code returned would be a refusal.
    Error copy = error;
    return copy.severity() == Severity::refusal ? std::move(copy).with(Severity::failure) : copy;
  } catch (const std::exception& exception) {
    return {Code::failed, std::string_view(exception.what())};
  } catch (...) {
    return {Code::failed, "an exception that is no std::exception"};
  }
}

}  // namespace detail
#endif

}  // namespace troupe
