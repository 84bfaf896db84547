// Mailbox: one atomic word owns an actor.
//
// The word is `offered:16 | chain:42 | tags:6`. It is IDLE (nobody owns the actor), CLOSED (it takes nothing any more),
// or owned: by whoever made it non-idle until a worker has run it and put it back to IDLE. While owned it holds the
// chain of envelopes pushed since the last take, newest first, and tags that say what is among them. ORDERS and REPORTS
// stand for the cell's own words of that name. `offered` counts accepted user messages and `released` those that
// left the queue; their difference, modulo 2^16, is what the mailbox holds, so a bound is exact at no further atomic.
//
// Memory order. A sender's compare-and-swap releases the envelope to the owner, whose take acquires it. The owner
// stores `released` before it runs the handler; a sender that reads an old value only underestimates the room, and
// refuses only after it has re-read an unchanged word, so a refusal was true at one moment of the call. Limits are
// stored before the word is closed with release, so whoever acquires CLOSED sees limits of zero. The step to IDLE
// is a compare-and-swap that fails if anything came, so no wake-up is lost: whoever replaces IDLE schedules.
//
// Rule numbers in comments are those of docs/explanation/mailbox.md.
#pragma once

#include <cstdint>

#include <troupe/core/cell.hpp>
#include <troupe/core/overflow.hpp>
#include <troupe/core/worker.hpp>

namespace troupe::mailbox {

using Word = std::uint64_t;

inline constexpr Word has_system = 1;
inline constexpr Word has_high = 2;
inline constexpr Word has_orders = 4;
inline constexpr Word has_reports = 8;
inline constexpr Word idle = 16;
inline constexpr Word closed = 32;
inline constexpr Word tags = has_system | has_high | has_orders | has_reports;
inline constexpr unsigned count_shift = 48;
inline constexpr Word one = Word{1} << count_shift;
inline constexpr Word count_bits = ~(one - 1);
inline constexpr Word chain_bits = (one - 1) & ~Word{63};

[[nodiscard]] inline Envelope* chain_of(Word word) noexcept { return reinterpret_cast<Envelope*>(word & chain_bits); }
[[nodiscard]] constexpr std::uint16_t offered(Word word) noexcept {
  return static_cast<std::uint16_t>(word >> count_shift);
}
[[nodiscard]] constexpr unsigned limit_of(Lane lane) noexcept { return lane == Lane::high ? 1 : 0; }

[[nodiscard]] inline std::uint32_t queued(const Cell& cell, Word word, std::memory_order order) noexcept {
  return static_cast<std::uint16_t>(offered(word) - cell.released.load(order));
}

// CLOSED is looked at in this very word: the limits may be those of the next life by now.
[[nodiscard]] inline bool has_room(const Cell& cell, Word word, Generation generation, Lane lane) noexcept {
  return (word & closed) == 0 && cell.generation.load(order::relaxed) == generation &&
         queued(cell, word, order::relaxed) < cell.limit[limit_of(lane)].load(order::relaxed);
}

enum class Push : std::uint8_t { done, scheduled, refused };

// Offers an envelope for which `word` showed room (1). Refused: look why, on a word read anew.
[[nodiscard]] inline Push offer(Cell& cell, Envelope& envelope, Word word) noexcept {
  const Word tag = envelope.lane == Lane::high ? has_high : 0;
  for (;;) {
    envelope.next = chain_of(word);
    const Word pushed = ((word & (count_bits | tags)) + one) | reinterpret_cast<Word>(&envelope) | tag;
    if (cell.word.compare_exchange_weak(word, pushed, order::acq_rel, order::acquire)) [[likely]]
      break;
    if (!has_room(cell, word, envelope.generation, envelope.lane)) [[unlikely]]
      return Push::refused;
  }
  return (word & idle) != 0 ? Push::scheduled : Push::done;
}

// Pushes an envelope that is neither counted nor limited: system mail, ticks, a waiting send (6, 10).
[[nodiscard]] inline Push push(Cell& cell, Envelope& envelope) noexcept {
  const Word tag = envelope.lane == Lane::normal ? 0 : envelope.lane == Lane::high ? has_high : has_system;
  Word word = cell.word.load(order::acquire);
  for (;;) {
    if ((word & closed) != 0 || cell.generation.load(order::relaxed) != envelope.generation) return Push::refused;
    envelope.next = chain_of(word);
    const Word pushed = (word & (count_bits | tags)) | reinterpret_cast<Word>(&envelope) | tag;
    if (cell.word.compare_exchange_weak(word, pushed, order::acq_rel, order::acquire)) break;
  }
  return (word & idle) != 0 ? Push::scheduled : Push::done;
}

// Announces the cell's `orders` or `reports`. An order's tag in a later life is harmless: its owner finds nothing new.
[[nodiscard]] inline Push announce(Cell& cell, Word tag) noexcept {
  Word word = cell.word.load(order::acquire);
  for (;;) {
    if ((word & closed) != 0) return Push::refused;
    if ((word & tag) != 0) return Push::done;
    if (cell.word.compare_exchange_weak(word, (word & ~idle) | tag, order::acq_rel, order::acquire)) break;
  }
  return (word & idle) != 0 ? Push::scheduled : Push::done;
}

// Owner: takes chain and tags, keeps the count (4). Fails only against a sender.
[[nodiscard]] inline Word take(Cell& cell) noexcept {
  Word word = cell.word.load(order::relaxed);
  while (!cell.word.compare_exchange_weak(word, word & count_bits, order::acq_rel, order::relaxed)) {
  }
  return word;
}

// Owner: gives the actor up; false: something came.
[[nodiscard]] inline bool rest(Cell& cell, Word word) noexcept {
  return cell.word.compare_exchange_strong(word, word | idle, order::acq_rel, order::relaxed);
}

// Owner: takes the last chain and closes, in one step, so nothing enters after the drain (13).
[[nodiscard]] inline Word close(Cell& cell) noexcept {
  Word word = cell.word.load(order::relaxed);
  while (!cell.word.compare_exchange_weak(word, (word & count_bits) | closed, order::acq_rel, order::relaxed)) {
  }
  return word;
}

// Owner: a slot is free once its message begins or dies (5).
inline void release(Cell& cell, Envelope& envelope) noexcept {
  if (!envelope.has(Envelope::counted)) return;
  envelope.flags = static_cast<std::uint8_t>(envelope.flags & ~Envelope::counted);
  cell.released.store(static_cast<std::uint16_t>(cell.released.load(order::relaxed) + 1), order::release);
}

// Owner: nothing more may be offered. Held until the word is closed or limits are set anew.
inline void shut(Cell& cell) noexcept {
  cell.limit[0].store(0, order::relaxed);
  cell.limit[1].store(0, order::relaxed);
}
void set_limits(Cell& cell, const MailboxOptions& options) noexcept;

// Opens a free cell for a new life, owned by the caller and not yet scheduled (13).
void open(Cell& cell, Generation generation, const MailboxOptions& options) noexcept;

// What stands in the way of a message that found no room.
enum class Verdict : std::uint8_t { again, full, drop_newest, stopped, not_started, locked };

// Decides on an unchanged word, or says `again` (2). Grows a mailbox that may grow (12).
[[gnu::cold, gnu::noinline]] Verdict examine(Worker& worker, Cell& cell, Generation generation, Lane lane,
                                             Word word) noexcept;

// The locked normal lane of drop_oldest and very large mailboxes (11).
struct Listed {
  Verdict verdict;           // again: it is in the list; full, drop_newest or stopped: it is not
  Envelope* fell = nullptr;  // what had to go; the caller drops it, outside the lock
};
[[gnu::cold, gnu::noinline]] Listed enlist(Worker& worker, Cell& cell, Envelope& envelope) noexcept;
// Owner, when the bell comes up: the next message, or null when the list is empty and the bell is unrung.
[[nodiscard]] Envelope* unlist(Cell& cell) noexcept;
// Owner, at the end: closes the list and takes what is in it.
[[nodiscard]] EnvelopeList close_list(Cell& cell) noexcept;

}  // namespace troupe::mailbox
