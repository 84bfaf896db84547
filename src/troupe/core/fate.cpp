// No message without a fate: what becomes of those that no handler saw, and how it is said.
#include <new>

#include <troupe/core/any_ref.hpp>
#include <troupe/core/awaiter.hpp>
#include <troupe/core/delivery.hpp>
#include <troupe/core/kernel.hpp>
#include <troupe/core/life.hpp>
#include <troupe/core/orders.hpp>
#include <troupe/core/ref.hpp>
#include <troupe/core/side.hpp>
#include <troupe/core/turn.hpp>

namespace troupe {

namespace turns {

CellRef sender_here() noexcept {
  Cell* running = current_worker->running;
  return running == nullptr ? CellRef{} : CellRef{running, running->generation.load(order::relaxed)};
}

void count_dead(Worker& worker, Cell& cell) noexcept {
  worker.counters.dead.add();
  if (worker.inside()) cell.type.load(order::relaxed)->counters[worker.index].dead.add();
}

void count_refusal(Worker& worker, CellRef target, Fate fate) noexcept {
  // The class is one of the worker's own system. Its memory stays as long as a door to that, so a thread from outside
  // may come here even after the system has ended.
  if (fate == Fate::full || fate == Fate::dropped) {
    if (const Type* type = type_of_life(target)) {
      RefusalCounters& refusals = *type->refusals;
      (fate == Fate::full ? refusals.rejected : refusals.dropped).fetch_add(1, order::relaxed);
    }
  }
  (fate == Fate::dropped ? worker.counters.dropped : worker.counters.rejected).add();
}

void publish_dead(Worker& worker, CellRef target, const Envelope& envelope, DeadReason reason,
                  const Error* error) noexcept {
  Kernel* kernel = worker.kernel;
  if (kernel == nullptr || !kernel->wants(EventKind::dead_letter)) return;
  const bool outside = envelope.has(Envelope::outside);
  kernel->publish({.kind = EventKind::dead_letter,
                   .actor = target,
                   .sender = outside ? CellRef{} : CellRef{envelope.sender, envelope.sender_generation},
                   .actor_type = envelope.deliver(Op::actor_name, nullptr, nullptr, worker),
                   .message = envelope.deliver(Op::message_name, nullptr, nullptr, worker),
                   .error = error,
                   .reason = reason});
}

void refuse(Worker& worker, Cell& cell, Envelope& envelope, const Error& error) noexcept {
  mailbox::release(cell, envelope);
  count_dead(worker, cell);
  publish_dead(worker, {&cell, envelope.generation}, envelope, DeadReason::refused, &error);
  if (error.severity() != Severity::refusal) {
    const bool outside = envelope.has(Envelope::outside);
    life::fail(worker, cell, error, envelope.deliver(Op::message_name, nullptr, nullptr, worker),
               outside ? CellRef{} : CellRef{envelope.sender, envelope.sender_generation});
  }
  if (envelope.has(Envelope::waiting)) answer_waiting_send(envelope, std::unexpected<Error>(error));
  envelope.reason = DeadReason::refused;
  envelope.next = reinterpret_cast<Envelope*>(const_cast<Error*>(&error));  // life::drop_error reads it
  envelope.deliver(Op::drop, &envelope, &cell, worker);
}

namespace {

struct Refusal {
  Fate fate;
  DeadReason reason;
};

Refusal refusal_of(mailbox::Verdict verdict) noexcept {
  switch (verdict) {
    case mailbox::Verdict::full:
      return {Fate::full, DeadReason::full};
    case mailbox::Verdict::drop_newest:
      return {Fate::dropped, DeadReason::dropped};
    case mailbox::Verdict::not_started:
      return {Fate::not_started, DeadReason::not_started};
    default:
      return {Fate::stopped, DeadReason::stopped};
  }
}

Text why_unstarted(Cell& cell, Generation generation) noexcept {
  Text why;
  if (Side* side = cell.side.load(order::acquire)) {
    side->lock.lock();
    const bool same = side->cell == &cell && side->generation == generation;
    if (same && side->unstarted_for != nullptr) why = side->unstarted_for->message();
    side->lock.unlock();
  }
  return why;
}

}  // namespace

Receipt refused(Worker& worker, Cell& cell, Generation generation, Deliver deliver, mailbox::Verdict verdict) noexcept {
  const bool somebody = &cell != &nowhere_cell;
  const Refusal refusal = somebody ? refusal_of(verdict) : Refusal{Fate::not_found, DeadReason::not_found};
  count_refusal(worker, {&cell, generation}, refusal.fate);
  Envelope envelope{};
  envelope.deliver = deliver;
  const CellRef sender = sender_here();
  envelope.sender = sender.cell;
  envelope.sender_generation = sender.generation;
  publish_dead(worker, {&cell, generation}, envelope, refusal.reason);
  if (refusal.fate == Fate::not_started) return {refusal.fate, why_unstarted(cell, generation)};
  return refusal.fate;
}

Receipt refused_by_nobody(CellRef target, Deliver deliver) noexcept {
  if (target.cell == &nowhere_cell) return Fate::not_found;
  if (host != nullptr) {
    host->escaped({.kind = EventKind::reference_escaped,
                   .actor = target,
                   .sender = sender_here(),
                   .actor_type = deliver(Op::actor_name, nullptr, nullptr, *current_worker),
                   .message = deliver(Op::message_name, nullptr, nullptr, *current_worker)});
  }
  return Fate::stopped;
}

std::uint64_t waiting(const Cell& cell) noexcept {
  constexpr std::uint8_t elsewhere = Envelope::hook | Envelope::notice | Envelope::stashed;
  std::uint64_t count = 0;
  for (const Awaiter* open = cell.open; open != nullptr; open = open->next) {
    if (open->waiting != nullptr && !root_of(open->waiting)->turn->has(elsewhere)) ++count;
  }
  const auto count_one = [&](const Envelope& envelope) {
    if (envelope.deliver != bell) ++count;
  };
  cell.mail.each(count_one);
  for (Envelope* at = mailbox::chain_of(cell.word.load(order::acquire)); at != nullptr; at = at->next) {
    if (at->lane == Lane::normal || at->lane == Lane::high) count_one(*at);
  }
  if (const Side* side = cell.side.load(order::relaxed)) {
    for (Envelope* at = side->high.first; at != nullptr; at = at->next) count += at->lane == Lane::tick ? 0 : 1;
    count += side->stashed + side->count;
  }
  return count;
}

}  // namespace turns

namespace life {

Error reason_as_error(DeadReason reason, const char* name, const Cell& cell) noexcept {
  switch (reason) {
    case DeadReason::full:
      return {Code::full, (Words() << "the mailbox of " << name << " is full").text()};
    case DeadReason::dropped:
      return {Code::dropped, (Words() << "dropped: the mailbox of " << name << " was full").text()};
    case DeadReason::not_started:
    case DeadReason::start_failed: {
      const Side* side = cell.side.load(order::relaxed);
      const bool known = side != nullptr && side->last_error.has_value();
      const std::string_view why = known ? side->last_error->text() : "there was no memory to say why";
      return {Code::not_started, (Words() << name << " could not start: " << why).text()};
    }
    case DeadReason::expired:
      return {Code::timeout, (Words() << "the deadline passed before " << name << " had room").text()};
    case DeadReason::restarted:
      return {Code::stopped, (Words() << name << " restarted while the message was stashed").text()};
    default:
      return {Code::stopped, (Words() << name << " stopped before it answered").text()};
  }
}

Error drop_error(const Envelope& envelope, const Cell& cell) noexcept {
  if (envelope.reason == DeadReason::refused && envelope.next != nullptr) {
    return *reinterpret_cast<const Error*>(envelope.next);
  }
  // The envelope knows the class; the cell may have another one by now, if a sender drops the message.
  return reason_as_error(envelope.reason, envelope.deliver(Op::actor_name, nullptr, nullptr, nobody), cell);
}

}  // namespace life

namespace detail {

bool turn_failed(Worker& worker, Cell& cell, Envelope* envelope, const Error& error) noexcept {
  const CellRef self{&cell, cell.generation.load(order::relaxed)};
  if (error.severity() == Severity::refusal) {
    if (envelope->serial == 0 && !envelope->has(Envelope::notice)) {
      turns::publish_dead(worker, self, *envelope, DeadReason::refused, &error);
    }
    return false;
  }
  constexpr std::uint8_t gone = Envelope::notice | Envelope::kept | Envelope::consumed;
  const bool plain = envelope->lane != Lane::tick && (envelope->flags & gone) == 0;
  const bool keep = plain && cell.life == Life::running && cell.recipe->options->policy.redelivers();
  const CellRef sender =
      envelope->has(Envelope::outside) ? CellRef{} : CellRef{envelope->sender, envelope->sender_generation};
  life::fail(worker, cell, error, envelope->deliver(Op::message_name, nullptr, nullptr, worker), sender);
  Side* side = cell.side.load(order::relaxed);
  if (!keep || side == nullptr || side->to_redeliver != nullptr) return false;
  side->to_redeliver = envelope;
  return true;
}

Receipt no_memory(Worker& worker, CellRef target, Deliver deliver) noexcept {
  worker.counters.rejected.add();
  publish_no_memory(worker, target, deliver);
  return Fate::exhausted;
}

void publish_no_memory(Worker& worker, CellRef target, Deliver deliver) noexcept {
  worker.kernel->publish({.kind = EventKind::memory_exhausted,
                          .actor = target,
                          .sender = turns::sender_here(),
                          .actor_type = deliver(Op::actor_name, nullptr, nullptr, worker),
                          .message = deliver(Op::message_name, nullptr, nullptr, worker)});
}

mailbox::Verdict look_for_room(Worker& worker, CellRef target, Lane lane, mailbox::Word& word) noexcept {
  for (;;) {
    if (mailbox::has_room(*target.cell, word, target.generation, lane)) return mailbox::Verdict::again;
    const auto verdict = mailbox::examine(worker, *target.cell, target.generation, lane, word);
    if (verdict != mailbox::Verdict::again) return verdict;
    word = target.cell->word.load(order::acquire);
  }
}

Receipt tell_list(Worker& worker, CellRef target, Envelope* envelope, bool& taken) noexcept {
  envelope->flags = static_cast<std::uint8_t>(envelope->flags & ~Envelope::counted);
  const auto listed = mailbox::enlist(worker, *target.cell, *envelope);
  taken = listed.verdict == mailbox::Verdict::again;
  if (!taken) return turns::refused(worker, *target.cell, target.generation, envelope->deliver, listed.verdict);
  if (listed.fell == nullptr) return Fate::accepted;
  Text fell = Text::lasting(listed.fell->deliver(Op::message_name, nullptr, nullptr, worker));
  turns::drop_oldest(worker, *target.cell, *listed.fell);
  return {Fate::accepted, std::move(fell)};
}

Envelope* spare_reply(Worker& worker, const Envelope& envelope, std::size_t bytes) noexcept {
  if (envelope.serial == 0) return nullptr;
  const SizeClass size_class = size_class_of(sizeof(Envelope) + bytes);
  void* memory = worker.allocate(size_class);
  if (memory == nullptr) return nullptr;
  auto* reply = new (memory) Envelope(envelope);
  reply->size_class = size_class;
  return reply;
}

}  // namespace detail

Error Receipt::error() const noexcept {
  switch (fate_) {
    case Fate::accepted:
    case Fate::full:
      return {Code::full, "the mailbox is full: slow down, use send under Overflow::block, or raise its capacity"};
    case Fate::dropped:
      return {Code::dropped, "the mailbox is full and drops the newest message"};
    case Fate::stopped:
      return {Code::stopped, "the actor has stopped"};
    case Fate::not_found:
      return {Code::not_found, "the reference names nobody"};
    case Fate::not_started:
      return {Code::not_started, detail_};
    case Fate::exhausted:
      return {Code::exhausted, "no memory for the message: raise the system's limits"};
  }
  return {Code::failed};
}

}  // namespace troupe
