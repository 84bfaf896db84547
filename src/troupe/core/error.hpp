// Error: what went wrong, how bad it is and whether trying again can help.
//
// Operating errors are values: Result<T> is std::expected<T, Error>. One Code enum serves the API, HTTP and
// logs. The severity decides what a returned error means: a refusal is only the reply; a failure, a fatal error
// or an exception also goes to supervision.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string_view>

#include <troupe/core/text.hpp>

namespace troupe {

enum class Code : std::uint8_t {
  // refusals: the request cannot be served, the actor is well
  invalid,
  denied,
  not_found,
  already_exists,
  conflict,
  full,
  dropped,
  stopped,
  not_started,
  timeout,
  cycle,
  cancelled,
  unsupported,
  unavailable,
  // failures: the actor, or something it needs, is not well
  failed,
  corrupted,
  exhausted,
};

[[nodiscard]] std::string_view to_string(Code code) noexcept;

enum class Severity : std::uint8_t { refusal, failure, fatal };
[[nodiscard]] std::string_view to_string(Severity severity) noexcept;

[[nodiscard]] constexpr Severity default_severity(Code code) noexcept {
  return code >= Code::failed ? Severity::failure : Severity::refusal;
}

// Whether the same request may succeed later: never, at once, or after a while.
enum class Retry : std::uint8_t { never, now, later };

// A class of errors that the application defines: `inline constexpr troupe::ErrorClass declined{"declined"};`.
// Classes are compared by address, so two of one name stay different.
struct ErrorClass {
  const char* name;
};

class Error {
 public:
  constexpr Error(Code code, Text text = {}) noexcept
      : text_(std::move(text)), code_(code), severity_(default_severity(code)) {}

  [[nodiscard]] constexpr Code code() const noexcept { return code_; }
  [[nodiscard]] constexpr Severity severity() const noexcept { return severity_; }
  [[nodiscard]] constexpr Retry retry() const noexcept { return retry_; }
  [[nodiscard]] constexpr std::chrono::milliseconds retry_after() const noexcept {
    return std::chrono::milliseconds(retry_after_ms_);
  }
  // How long the advice holds; zero: no limit.
  [[nodiscard]] constexpr std::chrono::milliseconds window() const noexcept {
    return std::chrono::milliseconds(window_ms_);
  }
  [[nodiscard]] constexpr const ErrorClass* error_class() const noexcept { return class_; }
  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_.view(); }
  [[nodiscard]] constexpr const Text& message() const noexcept { return text_; }

  [[nodiscard]] constexpr Error with(Severity severity) && noexcept {
    severity_ = severity;
    return std::move(*this);
  }
  [[nodiscard]] constexpr Error with(Retry retry, std::chrono::milliseconds after = {},
                                     std::chrono::milliseconds window = {}) && noexcept {
    retry_ = retry;
    retry_after_ms_ = static_cast<std::uint32_t>(after.count());
    window_ms_ = static_cast<std::uint32_t>(window.count());
    return std::move(*this);
  }
  [[nodiscard]] constexpr Error with(const ErrorClass& error_class) && noexcept {
    class_ = &error_class;
    return std::move(*this);
  }

  // So that a handler may say `return Error{Code::invalid, "no such seat"};` whatever its Result holds.
  template <class T>
  constexpr operator std::expected<T, Error>() && noexcept {
    return std::unexpected<Error>(std::move(*this));
  }

  [[nodiscard]] constexpr bool is(const ErrorClass& error_class) const noexcept { return class_ == &error_class; }

 private:
  Text text_;
  const ErrorClass* class_ = nullptr;
  std::uint32_t retry_after_ms_ = 0;
  std::uint32_t window_ms_ = 0;
  Code code_;
  Severity severity_;
  Retry retry_ = Retry::never;
};

template <class T>
using Result = std::expected<T, Error>;

}  // namespace troupe
