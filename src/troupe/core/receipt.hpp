// Receipt: what a tell reports, decided at the call and exact.
#pragma once

#include <cstdint>
#include <string_view>

#include <troupe/core/error.hpp>

namespace troupe {

enum class Fate : std::uint8_t {
  accepted,     // it is handled, or becomes a dead letter with a reason
  full,         // the mailbox has no room
  dropped,      // drop_newest: this message fell
  stopped,      // the actor has stopped or is stopping
  not_found,    // the reference names nobody
  not_started,  // the actor gave up starting
  exhausted,    // no memory for the envelope
};
[[nodiscard]] std::string_view to_string(Fate fate) noexcept;

class Receipt {
 public:
  constexpr Receipt(Fate fate) noexcept : fate_(fate) {}
  Receipt(Fate fate, Text detail) noexcept : detail_(std::move(detail)), fate_(fate) {}

  [[nodiscard]] constexpr bool accepted() const noexcept { return fate_ == Fate::accepted; }
  constexpr explicit operator bool() const noexcept { return accepted(); }
  [[nodiscard]] constexpr Fate fate() const noexcept { return fate_; }
  // Accepted under drop_oldest: the name of the message that fell. Not started: why.
  [[nodiscard]] constexpr std::string_view detail() const noexcept { return detail_.view(); }
  // The same as an Error, for code that passes it on.
  [[nodiscard]] Error error() const noexcept;

 private:
  Text detail_;
  Fate fate_;
};

}  // namespace troupe
