// Replies: the request envelope goes back as the answer.
//
// The target destroys the message, builds the Result in its place and pushes it onto the asker's system lane. Who
// answers clears the asker's edge first, so that a reply in flight never looks like a cycle of asks. Who keeps the reply
// clears it too: anybody may answer then, also in a turn that the asker itself is asked in, so it proves no cycle.
//
// Memory order of the edge. The asker publishes it by a sequentially consistent exchange, then walks (ask.cpp). Clearing
// needs only to come before what follows from the reply: it stands before the push, which releases, and whoever knows
// of the reply has acquired that. It is a swap of the very edge, because an answer may be late: its asker, timed out or
// restarted, has published the next edge by now, which a store would wipe, and a cycle through it would go unseen. The low
// half of the serial tells edges apart, and serials go on from one life of a cell to the next.
#pragma once

#include <new>
#include <type_traits>
#include <utility>

#include <troupe/core/awaiter.hpp>
#include <troupe/core/kernel.hpp>
#include <troupe/core/mailbox.hpp>
#include <troupe/core/worker.hpp>

namespace troupe {

// Waits for an answer without being an actor: a thread in `wait`, a future. `settle` is called once, on the
// answering thread, with an envelope that holds a Result and that it must give back.
class Waiter {
 public:
  void (*settle)(Waiter* self, Envelope* envelope);
};

namespace replies {

// The asker is found and told, or the answer is late and goes. The payload holds the Result.
void push(Envelope* envelope) noexcept;
// The asker's edge goes if it is the one of this await.
void clear_edge(Cell& asker, std::uint32_t serial) noexcept;
void count_late(Worker& worker, Cell* cell, Envelope* envelope) noexcept;

template <class R>
const char* arrived(Op op, Envelope* envelope, Cell* cell, Worker& worker) {
  if (op != Op::deliver && op != Op::drop) return "Reply";
  auto* result = static_cast<Result<R>*>(envelope->payload());
  Awaiter* awaiter = op == Op::deliver ? find_awaiter(*cell, envelope->serial) : nullptr;
  if (awaiter == nullptr) {
    count_late(worker, cell, envelope);
  } else {
    static_cast<ValueAwaiter<R>*>(awaiter)->value = std::move(*result);
  }
  result->~Result<R>();
  worker.free(envelope, envelope->size_class);
  if (awaiter != nullptr) arrive(worker, *cell, *awaiter);
  return "Reply";
}

template <class R>
void send(Envelope* envelope, Result<R>&& result) noexcept {
  new (envelope->payload()) Result<R>(std::move(result));
  envelope->deliver = arrived<R>;
  push(envelope);
}

// Whatever holds a message and must be able to hold its reply.
template <class M, class R>
inline constexpr std::size_t request_bytes =
    sizeof(Envelope) + (sizeof(M) > sizeof(Result<R>) ? sizeof(M) : sizeof(Result<R>)) + sizeof(std::uint64_t);

}  // namespace replies

// A reply kept for a later turn. It owns the request; dropped unanswered it answers `dropped`.
template <class R>
class Reply {
 public:
  Reply() noexcept = default;
  Reply(Reply&& other) noexcept : envelope_(std::exchange(other.envelope_, nullptr)) {}
  Reply& operator=(Reply&& other) noexcept {
    if (this != &other) {
      drop();
      envelope_ = std::exchange(other.envelope_, nullptr);
    }
    return *this;
  }
  ~Reply() { drop(); }

  // Answers; a second answer, or one to a message that nobody asked, goes nowhere.
  void operator()(Result<R> result) {
    Envelope* envelope = std::exchange(envelope_, nullptr);
    if (envelope == nullptr) return;
    Worker& worker = *memory_here();
    envelope->deliver(Op::clear, envelope, nullptr, worker);
    if (envelope->serial != 0) {
      replies::send<R>(envelope, std::move(result));
    } else {
      worker.free(envelope, envelope->size_class);
    }
  }
  void operator()()
    requires std::is_void_v<R>
  {
    (*this)(Result<void>{});
  }
  explicit operator bool() const noexcept { return envelope_ != nullptr; }

 private:
  friend class Context;
  explicit Reply(Envelope* envelope) noexcept : envelope_(envelope) {}
  void drop() {
    if (envelope_ != nullptr) (*this)(Error{Code::dropped, "the actor kept the reply and dropped it unanswered"});
  }

  Envelope* envelope_ = nullptr;
};

// What a handler returns that has kept its reply; only Context::keep makes one.
template <class R>
class Kept {
  friend class Context;
  Kept() noexcept = default;
};

}  // namespace troupe
