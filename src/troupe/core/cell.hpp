// Cell: the memory of one actor.
//
// A cell is a header of 144 bytes with the actor's state behind it. Cells are never given back to the system:
// a reference is a pointer and a generation, and a stale one must be refused, not dangling. What most actors never
// use (names, children, watchers, timers, a stash) lies in a Side block made on demand.
//
// One atomic word owns the actor; see mailbox.hpp. All plain fields belong to whoever owns the word.
#pragma once

#include <cstddef>
#include <cstdint>

#include <troupe/core/atomic.hpp>
#include <troupe/core/envelope.hpp>

namespace troupe {

class Awaiter;
struct Recipe;
struct Side;
struct Type;

// The states of an actor's life (life.hpp has the rules).
enum class Life : std::uint8_t { starting, waiting, unstarted, running, failed, ending, closed };

// What an ending leads to.
enum class Next : std::uint8_t { stop, restart, restart_in_place, retry, unstarted };

struct Cell {
  // Reasons why no user message may begin; 0: it may.
  static constexpr std::uint8_t turns_full = 1;
  static constexpr std::uint8_t suspended = 2;
  static constexpr std::uint8_t not_running = 4;

  // What the run loop must attend to besides plain mail; 0: nothing.
  static constexpr std::uint8_t to_start = 1;     // make the instance, run Started
  static constexpr std::uint8_t to_end = 2;       // the ending procedure is under way
  static constexpr std::uint8_t has_notices = 4;  // Terminated and ChildFailed wait for a turn
  static constexpr std::uint8_t has_high = 8;     // the high list is not empty
  static constexpr std::uint8_t has_thawed = 16;  // replies came while the actor was failed
  static constexpr std::uint8_t middleware = 32;  // every message passes a chain
  static constexpr std::uint8_t draining = 64;    // stop when the queue is empty

  // Facts about the instance, beside the three bits of Next.
  static constexpr std::uint8_t next_bits = 7;
  static constexpr std::uint8_t instance = 8;    // the state holds an actor
  static constexpr std::uint8_t started = 16;    // its Started has ended, so it is owed an end hook
  static constexpr std::uint8_t hook_done = 32;  // the end hook has run
  static constexpr std::uint8_t forced = 64;     // nothing waits any longer

  static constexpr std::uint8_t nowhere = 255;  // a dispatcher number that no worker has

  // The hot line.
  Atomic<std::uint64_t> word{};
  Atomic<Generation> generation{};
  Atomic<std::uint16_t> released{};   // slots given back; only its owner stores
  Atomic<std::uint8_t> dispatcher{};  // set before anybody knows the actor; the figures read it
  Life life{};
  Atomic<std::uint32_t> limit[2]{};  // normal, high
  std::uint8_t blocked{};
  std::uint8_t pending{};
  std::uint8_t open_turns{};
  std::uint8_t max_turns{};
  Mail mail{};
  Atomic<std::uint64_t> waits{};  // whom it asks: serial:16 | cell:48; others read it to find cycles
  Awaiter* open{};                // what its suspended turns wait for
  Cell* next_ready{};             // in a run queue, an inbox or a free list

  Atomic<Type*> type{};  // others read it to name a cycle and to count a refusal
  Cell* parent{};
  Atomic<Side*> side{};
  Recipe* recipe{};
  Atomic<std::uint64_t> orders{};
  Atomic<std::uint32_t> report{};
  Atomic<std::uint32_t> stamp{};  // since when it stands ready, or its mail is held back: ready.hpp
  Cell* next_report{};
  Cell* next_sibling{};
  Cell* previous_sibling{};
  std::uint32_t serial{};  // of the newest await or timer; the next life goes on from it
  std::uint16_t incarnation{};
  SizeClass cell_class{};
  std::uint8_t marks{};

  [[nodiscard]] Next next() const noexcept { return static_cast<Next>(marks & next_bits); }
  void set_next(Next next) noexcept {
    marks = static_cast<std::uint8_t>((marks & ~next_bits) | static_cast<std::uint8_t>(next));
  }
  [[nodiscard]] bool is(std::uint8_t mark) const noexcept { return (marks & mark) != 0; }
  void mark(std::uint8_t bits) noexcept { marks = static_cast<std::uint8_t>(marks | bits); }
  void unmark(std::uint8_t bits) noexcept { marks = static_cast<std::uint8_t>(marks & ~bits); }
  void block(std::uint8_t bits) noexcept { blocked = static_cast<std::uint8_t>(blocked | bits); }
  void unblock(std::uint8_t bits) noexcept { blocked = static_cast<std::uint8_t>(blocked & ~bits); }
  void need(std::uint8_t bits) noexcept { pending = static_cast<std::uint8_t>(pending | bits); }
  void done(std::uint8_t bits) noexcept { pending = static_cast<std::uint8_t>(pending & ~bits); }

  [[nodiscard]] void* state() noexcept { return this + 1; }
};

inline constexpr std::size_t cell_header = 144;
static_assert(sizeof(Cell) == cell_header && offsetof(Cell, next_ready) == 56);
static_assert(offsetof(Cell, next_ready) == offsetof(StableBlock, next));

[[nodiscard]] constexpr std::size_t cell_bytes(SizeClass cell_class) noexcept {
  return cell_header + state_bytes_of(cell_class);
}

// A cell's system by its number, and a reference to one life of it.
struct CellRef {
  Cell* cell = nullptr;
  Generation generation = 0;

  friend bool operator==(const CellRef&, const CellRef&) = default;
};

}  // namespace troupe
