#include <troupe/core/ask.hpp>

#include <new>

#include <troupe/core/event.hpp>
#include <troupe/core/kernel.hpp>
#include <troupe/core/orders.hpp>
#include <troupe/core/ref.hpp>
#include <troupe/core/turn.hpp>

namespace troupe::asks {

namespace {

constexpr unsigned longest_walk = 64;

Cell* cell_of(std::uint64_t edge) noexcept {
  return reinterpret_cast<Cell*>(edge & ((std::uint64_t{1} << system_shift) - 1));
}

bool is_ancestor(const Cell& ancestor, const Cell& cell) noexcept {
  for (const Cell* above = cell.parent; above != nullptr; above = above->parent) {
    if (above == &ancestor) return true;
  }
  return false;
}

// An edge may lead to a cell that another system has by now, and that system's classes may be gone.
const char* name_of_actor(const Cell& cell, std::uint16_t system) noexcept {
  const Type* type = cell.type.load(order::acquire);
  const bool here = system_of(cell.generation.load(order::relaxed)) == system;
  return here && type != nullptr ? type->actor_class->name : "?";
}

// Follows the edges from the target on. Cells are stable memory, so reading one that has ended is harmless.
bool closes_cycle(const Cell& asker, const Cell& target) noexcept {
  const Cell* at = &target;
  for (unsigned steps = 0; steps < longest_walk && at != nullptr; ++steps) {
    if (at == &asker) return true;
    const std::uint64_t edge = at->waits.load(order::seq_cst);
    if (edge == ending_edge) return is_ancestor(*at, asker);
    at = cell_of(edge);
  }
  return false;
}

Error cycle_error(const Cell& asker, const Cell& target) noexcept {
  Words words;
  const std::uint16_t system = system_of(asker.generation.load(order::relaxed));
  words << "asking would close a cycle: " << name_of_actor(asker, system) << " -> " << name_of_actor(target, system);
  const Cell* at = &target;
  for (unsigned steps = 0; steps < 8 && at != &asker; ++steps) {
    const std::uint64_t edge = at->waits.load(order::relaxed);
    if (edge == 0) break;
    at = edge == ending_edge ? &asker : cell_of(edge);
    words << " -> " << name_of_actor(*at, system);
  }
  words << "; reply later (context.keep) or make one of them reentrant";
  return Error{Code::cycle, words.text()};
}

// The envelope that will tell a sleeping sender that its message begins. It also keeps the deadline.
Envelope* make_answer(Worker& worker, const Envelope& request, Instant due) noexcept {
  constexpr SizeClass size_class = size_class_of(sizeof(Envelope) + sizeof(Result<void>));
  void* memory = worker.allocate(size_class);
  if (memory == nullptr) return nullptr;
  auto* answer = new (memory) Envelope(request);
  answer->size_class = size_class;
  answer->generation = due;
  return answer;
}

// A send without room rides in the chain, uncounted, and wakes its sender when it begins (10).
Sent push_waiting(Worker& worker, Request& request, Instant due, Receipt& receipt) noexcept {
  Envelope& envelope = *request.envelope;
  Cell& cell = *request.target.cell;
  Envelope* answer = make_answer(worker, envelope, due);
  if (answer == nullptr) {
    receipt = detail::no_memory(worker, request.target, envelope.deliver);
    return Sent::refused;
  }
  const std::uint8_t flags = envelope.flags;
  envelope.flags = Envelope::waiting;
  envelope.serial = 0;
  envelope.tail<Envelope*>() = answer;
  const auto pushed = mailbox::push(cell, envelope);
  if (pushed == mailbox::Push::refused) {
    envelope.flags = flags;
    worker.free(answer, answer->size_class);
    receipt = turns::refused(worker, cell, envelope.generation, envelope.deliver, mailbox::Verdict::stopped);
    return Sent::refused;
  }
  worker.kernel->publish({.kind = EventKind::back_pressure, .actor = request.target});
  if (pushed == mailbox::Push::scheduled) worker.schedule(cell);
  return Sent::waits;
}

// A locked mailbox: the envelope goes into its list.
Sent push_listed(Worker& worker, Request& request, Receipt& receipt) noexcept {
  Envelope& envelope = *request.envelope;
  Cell& cell = *request.target.cell;
  envelope.flags = static_cast<std::uint8_t>(envelope.flags & ~Envelope::counted);
  const std::uint32_t serial = envelope.serial;
  if (request.for_room) envelope.serial = 0;  // nothing has to come back
  const auto listed = mailbox::enlist(worker, cell, envelope);
  if (listed.fell != nullptr) turns::drop_oldest(worker, cell, *listed.fell);
  if (listed.verdict == mailbox::Verdict::again) return request.for_room ? Sent::done : Sent::waits;
  envelope.serial = serial;
  envelope.flags = static_cast<std::uint8_t>(envelope.flags | Envelope::counted);
  receipt = turns::refused(worker, cell, envelope.generation, envelope.deliver, listed.verdict);
  return Sent::refused;
}

bool may_wait(const Cell& cell) noexcept {
  return orders::overflow_of(cell.orders.load(order::acquire)) == Overflow::block;
}

// The same path as a tell.
Sent push(Worker& worker, Request& request, Instant due, Receipt& receipt) noexcept {
  Envelope& envelope = *request.envelope;
  Cell& cell = *request.target.cell;
  for (;;) {
    const mailbox::Word word = cell.word.load(order::acquire);
    if (mailbox::has_room(cell, word, envelope.generation, envelope.lane)) [[likely]] {
      const std::uint32_t serial = envelope.serial;
      if (request.for_room) envelope.serial = 0;  // there is room: nothing has to come back
      const auto pushed = mailbox::offer(cell, envelope, word);
      if (pushed == mailbox::Push::scheduled) worker.schedule(cell);
      if (pushed != mailbox::Push::refused) return request.for_room ? Sent::done : Sent::waits;
      envelope.serial = serial;
      continue;
    }
    const auto verdict = mailbox::examine(worker, cell, envelope.generation, envelope.lane, word);
    if (verdict == mailbox::Verdict::again) continue;
    if (verdict == mailbox::Verdict::locked) return push_listed(worker, request, receipt);
    if (verdict == mailbox::Verdict::full && request.for_room && may_wait(cell)) {
      return push_waiting(worker, request, due, receipt);
    }
    receipt = turns::refused(worker, cell, envelope.generation, envelope.deliver, verdict);
    return Sent::refused;
  }
}

Error refused_early(const Request& request) noexcept {
  switch (request.refused) {
    case Code::exhausted:
      return {Code::exhausted, "no memory for the request"};
    case Code::not_found:
      return {Code::not_found, "the reference names nobody"};
    default:
      return {Code::stopped, "the actor's system has ended or takes nothing from outside any more"};
  }
}

}  // namespace

Duration time_of(const Request& request, const Worker& worker) noexcept {
  return request.within > Duration::zero() ? request.within : worker.kernel->options().ask_within;
}

namespace {

// True: the ask would close a cycle, and `error` names it.
bool publish_edge(Cell& asker, CellRef whom, std::uint32_t serial, Error& error) noexcept {
  const Cell& target = *whom.cell;
  const auto edge = reinterpret_cast<std::uint64_t>(&target) |
                    static_cast<std::uint64_t>(static_cast<std::uint16_t>(serial)) << system_shift;
  // Sequentially consistent, then the walk: of two that close a cycle in one moment at least one sees the other.
  asker.waits.exchange(edge, order::seq_cst);
  if (&target != &asker && target.waits.load(order::seq_cst) == 0) [[likely]]
    return false;
  if (target.generation.load(order::relaxed) != whom.generation) return false;  // the edges are another life's
  if (!closes_cycle(asker, target)) return false;
  error = cycle_error(asker, target);
  return true;
}

}  // namespace

bool send_now(Request& request) noexcept {
  Worker* worker = request.envelope == nullptr ? nullptr : worker_for(request.target.generation, Host::Errand::message);
  if (worker == nullptr) return false;
  Envelope& envelope = *request.envelope;
  Cell& cell = *request.target.cell;
  const mailbox::Word word = cell.word.load(order::acquire);
  if (!mailbox::has_room(cell, word, envelope.generation, envelope.lane)) return false;
  worker->counters.sent.add();
  envelope.serial = 0;  // nothing has to come back; an earlier try may have wanted it
  const auto pushed = mailbox::offer(cell, envelope, word);
  if (pushed == mailbox::Push::refused) {
    worker->counters.sent.subtract();
    return false;
  }
  request.envelope = nullptr;
  if (pushed == mailbox::Push::scheduled) worker->schedule(cell);
  return true;
}

Sent send(Worker& worker, Request& request, Awaiter& awaiter, Error& error) noexcept {
  Worker* near = request.envelope == nullptr ? nullptr : worker_for(request.target.generation, Host::Errand::message);
  if (near == nullptr) {
    error = refused_early(request);
    return Sent::refused;
  }
  Cell& asker = *worker.running;
  Envelope& envelope = *request.envelope;
  near->counters.sent.add();
  awaiter.enter(asker);
  awaiter.asked = envelope.deliver;
  // A handler may have run for long since its worker last looked at the clock: a short time is counted from now.
  const bool own_time = request.within > Duration::zero();
  awaiter.due = after(own_time ? near->kernel->clock().now() : worker.now, time_of(request, worker));
  envelope.serial = awaiter.serial;
  envelope.tail<Instant>() = awaiter.due;
  // Reentrant actors publish no edge: their deadline ends a cycle. Nor does an ask into another system.
  const bool traced = asker.max_turns == 1 && &worker == near;
  Sent sent = Sent::refused;
  if (traced && publish_edge(asker, request.target, awaiter.serial, error)) [[unlikely]] {
    near->counters.rejected.add();
  } else if (!watch_deadline(worker, asker, awaiter.due)) {
    error = detail::no_memory(*near, request.target, envelope.deliver).error();  // it would wait for ever
  } else {
    Receipt receipt(Fate::accepted);
    sent = push(*near, request, awaiter.due, receipt);
    if (sent == Sent::waits) [[likely]] {
      request.envelope = nullptr;
      return sent;
    }
    if (sent == Sent::done) request.envelope = nullptr;
    if (sent == Sent::refused) error = receipt.error();
  }
  if (traced) asker.waits.store(0, order::relaxed);
  awaiter.leave();
  return sent;
}

Sent send_outside(Request& request, Waiter& waiter, Error& error) noexcept {
  Worker* door = request.envelope == nullptr ? nullptr : worker_for(request.target.generation, Host::Errand::message);
  if (door == nullptr) {
    error = refused_early(request);
    return Sent::refused;
  }
  Envelope& envelope = *request.envelope;
  door->counters.sent.add();
  const Instant due = after(door->kernel->clock().now(), time_of(request, *door));
  envelope.sender = nullptr;
  envelope.sender_generation = reinterpret_cast<std::uint64_t>(&waiter);
  envelope.flags = static_cast<std::uint8_t>(envelope.flags | Envelope::outside);
  envelope.serial = 1;
  envelope.tail<Instant>() = request.due = due;
  Receipt receipt(Fate::accepted);
  const Sent sent = push(*door, request, due, receipt);
  if (sent == Sent::refused) {
    error = receipt.error();
  } else {
    request.envelope = nullptr;
  }
  return sent;
}

void discard(Request& request) noexcept {
  Envelope* envelope = std::exchange(request.envelope, nullptr);
  if (envelope == nullptr) return;
  Worker& worker = *memory_here();
  envelope->deliver(Op::clear, envelope, nullptr, worker);
  worker.free(envelope, envelope->size_class);
}

}  // namespace troupe::asks
