// Envelope: a message on its way, and the proof that it is delivered.
//
// The envelope owns its message, which lies behind it in the same block, and carries one function that was
// instantiated at the send site for this actor and this message. Delivering is one indirect call: no type ids,
// no look-up, no registration. The same function drops and describes the message, because a dead letter needs
// its name and its destructor too.
//
// It lives until its handler's task has ended, so `const M&` and `Context&` survive a co_await. An ask travels
// out and back in one envelope: the reply is built over the message.
#pragma once

#include <cstddef>
#include <cstdint>

#include <troupe/core/memory.hpp>

namespace troupe {

struct Cell;
struct Envelope;
class Worker;

// Which life of a cell is meant. The top bits number the system, so a reference knows its system without
// touching the cell; the rest counts lives and never returns.
using Generation = std::uint64_t;
inline constexpr unsigned system_shift = 48;
[[nodiscard]] constexpr std::uint16_t system_of(Generation generation) noexcept {
  return static_cast<std::uint16_t>(generation >> system_shift);
}

enum class Lane : std::uint8_t { normal, high, system, tick };

enum class Op : std::uint8_t {
  deliver,       // run the handler
  drop,          // no handler will see it: destroy it, answer who asked with Envelope::reason
  clear,         // destroy the message only
  message_name,  // the rest only return a name
  actor_name,
};

using Deliver = const char* (*)(Op op, Envelope* envelope, Cell* cell, Worker& worker);

// Why a message did not reach a handler. A closed list (AR-18).
enum class DeadReason : std::uint8_t {
  none,
  full,
  dropped,
  stopped,
  not_found,
  not_started,
  start_failed,
  restarted,
  refused,
  expired,
};

struct Envelope {
  static constexpr std::uint8_t counted = 1;     // holds a slot of the mailbox
  static constexpr std::uint8_t waiting = 2;     // a send without room: its sender sleeps until it begins
  static constexpr std::uint8_t chained = 2;     // the same bit once it has begun: middleware hears of its turn's end
  static constexpr std::uint8_t kept = 4;        // a Reply owns it
  static constexpr std::uint8_t stashed = 8;     // the stash owns it, or it came back and has not begun
  static constexpr std::uint8_t hook = 16;       // a lifecycle hook, not a message
  static constexpr std::uint8_t notice = 32;     // Terminated or ChildFailed: a turn, but no message of anyone
  static constexpr std::uint8_t outside = 64;    // who asked is no actor: `sender_generation` is its Waiter
  static constexpr std::uint8_t consumed = 128;  // its handler took the message over: it cannot be handled again

  Envelope* next;
  Deliver deliver;
  Generation generation;
  Cell* sender;
  Generation sender_generation;
  std::uint32_t serial;  // which await of the sender this answers; 0: nobody waits
  Lane lane;
  std::uint8_t flags;
  SizeClass size_class;
  DeadReason reason;

  [[nodiscard]] void* payload() noexcept { return this + 1; }
  // The last word of the block: an ask keeps its deadline there, a waiting send its answer.
  template <class T>
  [[nodiscard]] T& tail() noexcept {
    static_assert(sizeof(T) == sizeof(std::uint64_t));
    return *reinterpret_cast<T*>(reinterpret_cast<std::byte*>(this) + block_bytes(size_class) - sizeof(T));
  }
  [[nodiscard]] bool has(std::uint8_t flag) const noexcept { return (flags & flag) != 0; }
};
static_assert(sizeof(Envelope) == 48);

// A first-in first-out list of envelopes, owned by one worker at a time.
struct EnvelopeList {
  Envelope* first = nullptr;
  Envelope* last = nullptr;

  [[nodiscard]] bool empty() const noexcept { return first == nullptr; }
  void append(Envelope* envelope) noexcept {
    envelope->next = nullptr;
    (first == nullptr ? first : last->next) = envelope;
    last = envelope;
  }
  void prepend(Envelope* envelope) noexcept {
    envelope->next = first;
    first = envelope;
    if (last == nullptr) last = envelope;
  }
  Envelope* pop() noexcept {
    Envelope* envelope = first;
    first = envelope->next;
    if (first == nullptr) last = nullptr;
    return envelope;
  }
  // All of another list goes in front of this one, in its order.
  void prepend(EnvelopeList& front) noexcept {
    if (front.empty()) return;
    front.last->next = first;
    if (last == nullptr) last = front.last;
    first = front.first;
    front = {};
  }
};

// The messages taken but not begun: one pointer to the tail of a ring, since every cell has it.
class Mail {
 public:
  [[nodiscard]] bool empty() const noexcept { return tail_ == nullptr; }
  void append(Envelope* envelope) noexcept {
    prepend(envelope);
    tail_ = envelope;
  }
  void prepend(Envelope* envelope) noexcept {
    if (tail_ == nullptr) {
      envelope->next = envelope;
      tail_ = envelope;
    } else {
      envelope->next = tail_->next;
      tail_->next = envelope;
    }
  }
  Envelope* pop() noexcept {
    Envelope* envelope = tail_->next;
    if (envelope == tail_) {
      tail_ = nullptr;
    } else {
      tail_->next = envelope->next;
    }
    return envelope;
  }
  template <class Visit>
  void each(Visit visit) const {
    if (tail_ == nullptr) return;
    for (Envelope* envelope = tail_->next;; envelope = envelope->next) {
      visit(*envelope);
      if (envelope == tail_) return;
    }
  }

 private:
  Envelope* tail_ = nullptr;
};

}  // namespace troupe
