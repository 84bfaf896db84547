// What a mailbox holds, and what happens to the message that finds it full.
#pragma once

#include <cstdint>
#include <type_traits>

namespace troupe {

// `Overflow::block` has a type of its own: a mailbox that is made with it carries the policy in its type, so a system
// without senders that can wait refuses it when the program is compiled.
class Overflow {
 public:
  enum class Kind : std::uint8_t { reject, drop_newest, drop_oldest, grow, block };
  using Block = std::integral_constant<Kind, Kind::block>;

  static constexpr Kind reject = Kind::reject;            // the sender is told `full` and keeps the message
  static constexpr Kind drop_newest = Kind::drop_newest;  // the message is dropped; the sender is told
  static constexpr Kind drop_oldest = Kind::drop_oldest;  // the oldest waiting message falls out; the sender is told
  static constexpr Kind grow = Kind::grow;                // the capacity doubles up to a maximum, then as reject
  static constexpr Block block{};  // `co_await ref.send<M>(…)` waits for room; a plain tell is told `full`

  constexpr Overflow(Kind kind) noexcept : kind_(kind) {}
  constexpr Overflow(Block) noexcept : kind_(Kind::block) {}
  constexpr operator Kind() const noexcept { return kind_; }

 private:
  Kind kind_;
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

// Options of which the compiler knows that senders wait. As plain MailboxOptions they are looked at by `spawn`.
struct BlockingMailbox : MailboxOptions {};

[[nodiscard]] constexpr MailboxOptions bounded(std::uint32_t capacity, Overflow overflow = Overflow::reject) noexcept {
  return {.capacity = capacity, .overflow = overflow, .maximum = capacity};
}
[[nodiscard]] constexpr BlockingMailbox bounded(std::uint32_t capacity, Overflow::Block block) noexcept {
  return {{.capacity = capacity, .overflow = block, .maximum = capacity}};
}
[[nodiscard]] constexpr MailboxOptions growing(std::uint32_t capacity, std::uint32_t maximum) noexcept {
  return {.capacity = capacity, .overflow = Overflow::grow, .maximum = maximum};
}
[[nodiscard]] constexpr MailboxOptions unbounded() noexcept { return {.capacity = MailboxOptions::no_bound}; }

}  // namespace troupe
