// EventFilter: the kinds of event that a subscriber wants.
#pragma once

#include <concepts>
#include <cstdint>

#include <troupe/core/event.hpp>

namespace troupe {

class EventFilter {
 public:
  constexpr EventFilter() noexcept = default;
  constexpr explicit EventFilter(std::uint32_t bits) noexcept : bits_(bits) {}

  [[nodiscard]] constexpr bool contains(EventKind kind) const noexcept {
    return (bits_ >> static_cast<unsigned>(kind) & 1) != 0;
  }
  [[nodiscard]] constexpr std::uint32_t bits() const noexcept { return bits_; }
  friend constexpr bool operator==(EventFilter, EventFilter) = default;

 private:
  static_assert(event_kinds <= 32);
  std::uint32_t bits_ = 0;
};

template <std::same_as<EventKind>... Kinds>
[[nodiscard]] constexpr EventFilter kinds(Kinds... wanted) noexcept {
  return EventFilter((std::uint32_t{0} | ... | (std::uint32_t{1} << static_cast<unsigned>(wanted))));
}
[[nodiscard]] constexpr EventFilter all_events() noexcept {
  return EventFilter(~std::uint32_t{0} >> (32 - event_kinds));
}

}  // namespace troupe
