// Turn: how an owner runs its actor.
//
// A worker takes an actor from its ready queue and runs it until it has nothing to do or its share is used up. System
// mail is acted on before every user message; the high lane goes before the normal one, but after 16 high messages
// in a row one normal message runs.
#pragma once

#include <cstdint>

#include <troupe/core/mailbox.hpp>
#include <troupe/core/receipt.hpp>
#include <troupe/core/worker.hpp>

namespace troupe::turns {

inline constexpr std::uint32_t high_in_a_row = 16;

// Runs one actor for at most so many messages. It rests, goes back into the ready queue, or has closed.
void run(Worker& worker, Cell& cell, std::uint32_t messages);
// Runs the next ready actor; false: there is none.
bool run_next(Worker& worker);

// A message that no handler will see: it is counted, published, answered and destroyed.
void kill(Worker& worker, Cell& cell, Envelope& envelope, DeadReason reason) noexcept;
// The sender of a message that waited for room may go on, or hears why not.
[[gnu::cold]] void answer_waiting_send(Envelope& envelope, Result<void>&& result) noexcept;
// Middleware says no: the asker gets that error, without an asker it is a dead letter.
void refuse(Worker& worker, Cell& cell, Envelope& envelope, const Error& error) noexcept;
// Sender: a message that fell out of a full drop_oldest mailbox.
void drop_oldest(Worker& worker, Cell& cell, Envelope& envelope) noexcept;
// Everything queued dies: mail, the high list and a locked list.
void kill_queue(Worker& worker, Cell& cell, DeadReason reason) noexcept;
// The message that failed is not sent again after all: it was handled, and goes.
void forget_redelivery(Worker& worker, Cell& cell) noexcept;
void kill_stash(Worker& worker, Cell& cell, DeadReason reason) noexcept;
// Suspended turns go unresumed; who asked is told `stopped`.
void destroy_open(Worker& worker, Cell& cell) noexcept;
// The last chain of a closed word.
void drain_last(Worker& worker, Cell& cell, Envelope* chain) noexcept;

// The actor whose turn this thread is in; empty: none.
[[nodiscard]] CellRef sender_here() noexcept;
// A tell that was not accepted: counted, published, explained.
[[nodiscard, gnu::cold]] Receipt refused(Worker& worker, Cell& cell, Generation generation, Deliver deliver,
                                         mailbox::Verdict verdict) noexcept;
[[nodiscard, gnu::cold]] Receipt refused_by_nobody(CellRef target, Deliver deliver) noexcept;

// Messages that were accepted but not begun, and those in the stash: for the law, when nothing runs.
[[nodiscard]] std::uint64_t waiting(const Cell& cell) noexcept;

// Delivers a locked mailbox's bell: the next message of its list, with the bell left in front for the one after.
const char* bell(Op op, Envelope* envelope, Cell* cell, Worker& worker);

void count_dead(Worker& worker, Cell& cell) noexcept;
// For the worker, and for the class of a mailbox that was full.
void count_refusal(Worker& worker, CellRef target, Fate fate) noexcept;
void publish_dead(Worker& worker, CellRef target, const Envelope& envelope, DeadReason reason,
                  const Error* error = nullptr) noexcept;

}  // namespace troupe::turns
