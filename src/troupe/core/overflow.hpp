// What a mailbox holds, and what happens to the message that finds it full.
#pragma once

#include <cstdint>

namespace troupe {

enum class Overflow : std::uint8_t {
  reject,       // the sender is told `full` and keeps the message
  drop_newest,  // the message is dropped; the sender is told
  drop_oldest,  // the oldest waiting message falls out; the sender is told which
  grow,         // the capacity doubles up to a maximum, then as reject
  block,        // `co_await ref.send<M>(…)` waits for room; a plain tell is told `full`
};

struct MailboxOptions {
  static constexpr std::uint32_t no_bound = ~std::uint32_t{0};
  static constexpr std::uint32_t largest = 65'000;  // what the mailbox word counts; larger bounds use a locked list

  std::uint32_t capacity = 64;
  Overflow overflow = Overflow::reject;
  std::uint32_t maximum = 0;  // for grow
  std::uint32_t reserve = 8;  // further slots that only high-priority messages may use

  [[nodiscard]] constexpr bool bounded() const noexcept { return capacity != no_bound; }
  // The normal lane is a list under a small lock: to drop its oldest, or to count beyond the word's field.
  [[nodiscard]] constexpr bool locked() const noexcept {
    return bounded() && (overflow == Overflow::drop_oldest || capacity > largest);
  }
};

[[nodiscard]] constexpr MailboxOptions bounded(std::uint32_t capacity, Overflow overflow = Overflow::reject) noexcept {
  return {.capacity = capacity, .overflow = overflow, .maximum = capacity};
}
[[nodiscard]] constexpr MailboxOptions growing(std::uint32_t capacity, std::uint32_t maximum) noexcept {
  return {.capacity = capacity, .overflow = Overflow::grow, .maximum = maximum};
}
[[nodiscard]] constexpr MailboxOptions unbounded() noexcept { return {.capacity = MailboxOptions::no_bound}; }

}  // namespace troupe
