// Orders: what anybody may tell an actor without allocating.
//
// One word a cell: the low half of its generation, the incarnation its parent wants (`target`), and levels and edges.
// Every change is a compare-and-swap that includes the generation, so an order of one life never hits the next;
// then the word's tag announces it. Levels (stop, force, drain, suspended) stay until the life ends, so two equal
// orders are one and nothing has to balance. Edges (resume, start_again) are cleared by the owner who acts on them.
#pragma once

#include <cstdint>

#include <troupe/core/mailbox.hpp>
#include <troupe/core/overflow.hpp>
#include <troupe/core/supervision.hpp>

namespace troupe::orders {

using Word = std::uint64_t;

inline constexpr unsigned target_shift = 32;
inline constexpr unsigned reason_shift = 48;  // three bits: StopReason
inline constexpr Word reason_bits = Word{7} << reason_shift;
inline constexpr Word stop = Word{1} << 51;
inline constexpr Word force = Word{1} << 52;
inline constexpr Word drain = Word{1} << 53;
inline constexpr Word suspended = Word{1} << 54;
inline constexpr Word resume = Word{1} << 55;
inline constexpr Word start_again = Word{1} << 56;
inline constexpr Word in_place = Word{1} << 57;  // how the newest target is to be reached
inline constexpr Word closed = Word{1} << 58;
inline constexpr unsigned overflow_shift = 59;  // not an order: the mailbox's policy, where any sender can read it

[[nodiscard]] constexpr std::uint16_t target_of(Word word) noexcept {
  return static_cast<std::uint16_t>(word >> target_shift);
}
[[nodiscard]] constexpr StopReason reason_of(Word word) noexcept {
  return static_cast<StopReason>((word & reason_bits) >> reason_shift);
}
[[nodiscard]] constexpr Overflow::Kind overflow_of(Word word) noexcept {
  return static_cast<Overflow::Kind>(word >> overflow_shift);
}
[[nodiscard]] constexpr bool is_of(Word word, Generation generation) noexcept {
  return static_cast<std::uint32_t>(word) == static_cast<std::uint32_t>(generation);
}
[[nodiscard]] constexpr Word fresh(Generation generation, Overflow::Kind overflow) noexcept {
  return static_cast<std::uint32_t>(generation) | static_cast<Word>(overflow) << overflow_shift;
}

// Changes the orders of one life and announces them. `change` maps the old word to the new one; an unchanged word is
// not announced. False: that life has ended.
template <class Change>
bool change(Cell& cell, Generation generation, Change change) noexcept {
  Worker* worker = worker_for(generation, Host::Errand::control);
  if (worker == nullptr) return false;
  Word word = cell.orders.load(order::acquire);
  Word changed{};
  do {
    if (!is_of(word, generation) || (word & closed) != 0) return false;
    if (cell.generation.load(order::relaxed) != generation) return false;
    changed = change(word);
    if (changed == word) return true;
  } while (!cell.orders.compare_exchange_weak(word, changed, order::acq_rel, order::acquire));
  const auto pushed = mailbox::announce(cell, mailbox::has_orders);
  if (pushed == mailbox::Push::scheduled) worker->schedule(cell);
  return pushed != mailbox::Push::refused;
}

// The first reason stands.
inline bool order_stop(Cell& cell, Generation generation, StopReason reason, bool forced = false) noexcept {
  return change(cell, generation, [=](Word word) {
    if ((word & stop) == 0) word |= stop | static_cast<Word>(reason) << reason_shift;
    return forced ? word | force : word;
  });
}

// The next incarnation. A number, because two orders may become one restart and both sides must count alike.
inline bool order_restart(Cell& cell, Generation generation, bool in_place_too) noexcept {
  return change(cell, generation, [=](Word word) {
    const auto next = static_cast<std::uint16_t>(target_of(word) + 1);
    word = (word & ~(Word{0xffff} << target_shift) & ~in_place) | static_cast<Word>(next) << target_shift;
    return in_place_too ? word | in_place : word;
  });
}

inline bool set(Cell& cell, Generation generation, Word bits) noexcept {
  return change(cell, generation, [=](Word word) { return word | bits; });
}
inline bool clear(Cell& cell, Generation generation, Word bits) noexcept {
  return change(cell, generation, [=](Word word) { return word & ~bits; });
}

// Owner: no order is accepted any more.
inline void close(Cell& cell) noexcept { cell.orders.fetch_or(closed, order::acq_rel); }

}  // namespace troupe::orders
