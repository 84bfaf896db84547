// TimerKey: names a timer of one actor, to cancel or replace it.
#pragma once

#include <cstdint>
#include <string_view>

namespace troupe {

class TimerKey {
 public:
  constexpr TimerKey() noexcept = default;  // none: the timer gets a key of its own
  constexpr explicit TimerKey(std::uint64_t number) noexcept : value_((number << 2) | 1) {}
  constexpr TimerKey(const char* name) noexcept : value_((hash(name) << 2) | 2) {}

  // For timers without a key of the user's.
  [[nodiscard]] static constexpr TimerKey own(std::uint64_t serial) noexcept {
    TimerKey key;
    key.value_ = (serial << 2) | 3;
    return key;
  }

  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }
  explicit constexpr operator bool() const noexcept { return value_ != 0; }
  friend constexpr bool operator==(TimerKey, TimerKey) noexcept = default;

 private:
  static constexpr std::uint64_t hash(std::string_view name) noexcept {
    std::uint64_t value = 0xcbf29ce484222325u;
    for (const char c : name) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return value;
  }

  std::uint64_t value_ = 0;
};

}  // namespace troupe
