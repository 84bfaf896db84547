#include <troupe/core/turn.hpp>

#include <troupe/core/alarm.hpp>
#include <troupe/core/awaiter.hpp>
#include <troupe/core/kernel.hpp>
#include <troupe/core/life.hpp>
#include <troupe/core/middleware.hpp>
#include <troupe/core/orders.hpp>
#include <troupe/core/reply.hpp>
#include <troupe/core/run_meter.hpp>
#include <troupe/core/share.hpp>
#include <troupe/core/side.hpp>

namespace troupe::turns {

using mailbox::Word;

void answer_waiting_send(Envelope& envelope, Result<void>&& result) noexcept {
  envelope.flags = static_cast<std::uint8_t>(envelope.flags & ~Envelope::waiting);
  replies::send<void>(envelope.tail<Envelope*>(), std::move(result));
}

namespace {

[[gnu::cold, gnu::noinline]] void deliver_sampled(Worker& worker, Cell& cell, Envelope& envelope) {
  constexpr std::uint32_t one_in = 64;
  worker.until_sample = one_in;
  TypeCounters& counters = cell.type.load(order::relaxed)->counters[worker.index];
  Clock& clock = worker.kernel->clock();
  const Instant began = clock.now();
  envelope.deliver(Op::deliver, &envelope, &cell, worker);
  // The cell may have changed its mind about everything, but its type's counters stay.
  counters.handler_ns.add((clock.now() - began) * one_in);
}

// A sender that slept learns that its message begins, or its deadline has passed and the message dies.
[[gnu::cold, gnu::noinline]] bool admit_waiting(Worker& worker, Cell& cell, Envelope& envelope) noexcept {
  const Instant due = envelope.tail<Envelope*>()->generation;
  if (due <= worker.now) {
    kill(worker, cell, envelope, DeadReason::expired);
    return false;
  }
  answer_waiting_send(envelope, {});
  return true;
}

// What holds no slot has begun before, or came by another way. False: the turn that stashed this message still waits,
// so it stays in the stash.
[[gnu::cold, gnu::noinline]] bool may_begin(Cell& cell, Envelope& envelope) noexcept {
  if (!envelope.has(Envelope::stashed)) return true;
  for (const Awaiter* open = cell.open; open != nullptr; open = open->next) {
    if (open->waiting == nullptr || root_of(open->waiting)->turn != &envelope) continue;
    Side& side = *cell.side.load(order::relaxed);
    side.stash.append(&envelope);
    ++side.stashed;
    return false;
  }
  envelope.flags = static_cast<std::uint8_t>(envelope.flags & ~Envelope::stashed);
  return true;
}

// A user message or a tick begins.
inline void begin(Worker& worker, Cell& cell, Envelope& envelope) {
  if (envelope.has(Envelope::counted)) [[likely]] {
    mailbox::release(cell, envelope);
  } else if (!may_begin(cell, envelope)) {
    return;
  }
  if (envelope.generation != cell.generation.load(order::relaxed)) [[unlikely]] {
    kill(worker, cell, envelope, DeadReason::stopped);
    return;
  }
  if (envelope.has(Envelope::waiting)) [[unlikely]] {
    if (!admit_waiting(worker, cell, envelope)) return;
  }
  worker.current.store(envelope.deliver, order::relaxed);
  if (--worker.until_sample == 0) [[unlikely]] {
    deliver_sampled(worker, cell, envelope);
  } else {
    envelope.deliver(Op::deliver, &envelope, &cell, worker);
  }
}

void alarm_came(Worker& worker, Cell& cell, Alarm& alarm) {
  if (!alarm.listed) {
    alarms::destroy(worker, alarm);
    return;
  }
  const Alarm::Kind kind = alarm.kind;
  if (kind == Alarm::Kind::timer && !worker.kernel->closing.load(order::relaxed)) {
    cell.side.load(order::relaxed)->high.append(&alarm.envelope);
    cell.need(Cell::has_high);
    return;
  }
  alarm.period = {};  // shutdown holds ticks
  alarms::finish(worker, cell, alarm);
  if (kind == Alarm::Kind::deadlines) expire_overdue(worker, cell);
  if (kind == Alarm::Kind::retry) life::retry_is_due(worker, cell);
  if (kind == Alarm::Kind::give_up) life::hook_is_overdue(worker, cell);
}

void store_high(Worker& worker, Cell& cell, Envelope& envelope) noexcept {
  Side* side = life::side_of(worker, cell);
  if (side == nullptr) {
    cell.mail.append(&envelope);  // without memory a high message is a normal one
    return;
  }
  side->high.append(&envelope);
  cell.need(Cell::has_high);
  const std::uint32_t held = mailbox::queued(cell, cell.word.load(order::relaxed), order::relaxed);
  const std::uint32_t normal = cell.limit[0].load(order::relaxed);
  if (held > normal) cell.type.load(order::relaxed)->counters[worker.index].reserve_peak.raise_to(held - normal);
}

// Nothing of a stopping actor's queue is handled; what slips in after its limits fell dies on sight.
bool refuses_mail(const Cell& cell) noexcept {
  return cell.life == Life::unstarted ||
         (cell.life == Life::ending && (cell.next() == Next::stop || cell.next() == Next::unstarted));
}

void sort_one(Worker& worker, Cell& cell, Envelope& envelope) {
  switch (envelope.lane) {
    case Lane::system:
      if (envelope.generation == cell.generation.load(order::relaxed)) {
        envelope.deliver(Op::deliver, &envelope, &cell, worker);
      } else {
        envelope.deliver(Op::drop, &envelope, &cell, worker);
      }
      return;
    case Lane::tick:
      alarm_came(worker, cell, Alarm::of(envelope));
      return;
    default:
      break;
  }
  if (refuses_mail(cell)) [[unlikely]] {
    kill(worker, cell, envelope,
         cell.life == Life::ending && cell.next() == Next::stop ? DeadReason::stopped : DeadReason::not_started);
  } else if (envelope.lane == Lane::high) {
    store_high(worker, cell, envelope);
  } else {
    cell.mail.append(&envelope);
  }
}

Envelope* reversed(Envelope* newest) noexcept {
  Envelope* oldest = nullptr;
  while (newest != nullptr) {
    Envelope* next = newest->next;
    newest->next = oldest;
    oldest = newest;
    newest = next;
  }
  return oldest;
}

[[gnu::noinline]] void sort(Worker& worker, Cell& cell, Word word) {
  if ((word & mailbox::has_orders) != 0) life::take_orders(worker, cell);
  if ((word & mailbox::has_reports) != 0) life::take_reports(worker, cell);
  Envelope* envelope = reversed(mailbox::chain_of(word));
  while (envelope != nullptr) {
    Envelope* next = envelope->next;
    sort_one(worker, cell, *envelope);
    envelope = next;
  }
}

bool begin_notice(Worker& worker, Cell& cell, Side& side) {
  if (cell.life != Life::running || cell.open_turns > 0) return false;
  Envelope* notice = side.notices.pop();
  if (side.notices.empty()) cell.done(Cell::has_notices);
  worker.current.store(notice->deliver, order::relaxed);
  notice->deliver(Op::deliver, notice, &cell, worker);
  return true;
}

void thaw(Worker& worker, Cell& cell) {
  cell.done(Cell::has_thawed);
  for (Awaiter* awaiter = cell.open; awaiter != nullptr;) {
    if (!awaiter->arrived) {
      awaiter = awaiter->next;
      continue;
    }
    awaiter->arrived = false;
    arrive(worker, cell, *awaiter);
    if (cell.life != Life::running) return;
    awaiter = cell.open;
  }
  expire_overdue(worker, cell);
}

Envelope* next_high(Cell& cell, Side& side) noexcept {
  if (side.high.empty() || cell.blocked != 0) return nullptr;
  if (side.high_run >= high_in_a_row && !cell.mail.empty()) return nullptr;
  ++side.high_run;
  return side.high.pop();
}

bool is_drained(Cell& cell) noexcept {
  const Side* side = cell.side.load(order::relaxed);
  const bool quiet = side == nullptr || (side->high.empty() && side->notices.empty());
  const bool settled = cell.life == Life::running || cell.life == Life::unstarted;
  return settled && cell.mail.empty() && cell.open_turns == 0 && quiet;
}

void begin_user(Worker& worker, Cell& cell, Envelope& envelope) {
  if (envelope.lane == Lane::tick) {
    Alarm& alarm = Alarm::of(envelope);
    if (!alarm.listed) return alarms::destroy(worker, alarm);  // cancelled after it fired
    worker.counters.sent.add();                                // a tick is sent when it begins
  }
  if ((cell.pending & Cell::middleware) != 0 && envelope.lane != Lane::tick && envelope.deliver != bell) {
    if (!may_begin(cell, envelope)) return;  // before the chain hears of it
    middlewares::run(worker, cell, envelope, begin);
  } else {
    begin(worker, cell, envelope);
  }
}

// Everything but plain mail of a running actor, one step at a time.
life::Step attend(Worker& worker, Cell& cell) {
  using life::Step;
  if ((cell.pending & Cell::to_end) != 0) return life::end(worker, cell);
  if ((cell.pending & Cell::to_start) != 0) return life::start(worker, cell);
  if ((cell.pending & Cell::has_thawed) != 0) {
    thaw(worker, cell);
    return Step::made;
  }
  Side* side = cell.side.load(order::relaxed);
  if ((cell.pending & Cell::has_notices) != 0 && begin_notice(worker, cell, *side)) return Step::made;
  if ((cell.pending & Cell::has_high) != 0) {
    if (Envelope* envelope = next_high(cell, *side)) {
      begin_user(worker, cell, *envelope);
      return Step::made;
    }
    if (cell.blocked == 0) {
      // The row ends here, not when the list was last empty: a handler may tell its own actor the next high message.
      side->high_run = 0;
      if (side->high.empty()) cell.done(Cell::has_high);
    }
  }
  if ((cell.pending & Cell::middleware) != 0 && !cell.mail.empty() && cell.blocked == 0) {
    begin_user(worker, cell, *cell.mail.pop());
    return Step::made;
  }
  if ((cell.pending & Cell::draining) != 0 && is_drained(cell)) {
    cell.done(Cell::draining);
    orders::order_stop(cell, cell.generation.load(order::relaxed), StopReason::requested);
    return Step::made;
  }
  return Step::waiting;
}

}  // namespace

void run(Worker& worker, Cell& cell, std::uint32_t messages) {
  Share share(worker, messages);
  RunMeter meter(worker, cell);
  worker.running = &cell;
  worker.current.store(nullptr, order::relaxed);  // what another actor handled here before is not this one's
  worker.current_cell.store(&cell, order::relaxed);
  for (;;) {
    Word word = cell.word.load(order::relaxed);
    const bool mail_waits = !cell.mail.empty();
    if ((word & mailbox::tags) != 0 || ((word & mailbox::chain_bits) != 0 && (!mail_waits || cell.blocked != 0))) {
      word = mailbox::take(cell);
      Envelope* envelope = mailbox::chain_of(word);
      const bool plain = (word & mailbox::tags) == 0 && envelope->next == nullptr && !mail_waits;
      if (plain && (cell.blocked | cell.pending) == 0) [[likely]] {
        begin(worker, cell, *envelope);
      } else {
        sort(worker, cell, word);
      }
    } else if (life::Step step{}; cell.pending != 0 && (step = attend(worker, cell)) != life::Step::waiting) {
      if (step == life::Step::gone) break;
    } else if (mail_waits && cell.blocked == 0) {
      begin(worker, cell, *cell.mail.pop());
    } else if (meter.write(); mailbox::rest(cell, word)) {
      break;
    }
    worker.turns.store(worker.turns.load(order::relaxed) + 1, order::relaxed);
    if (share.spend()) [[unlikely]] {
      meter.write();
      worker.counters.full_runs.add();
      worker.schedule(cell);
      break;
    }
  }
  worker.current_cell.store(nullptr, order::relaxed);
  worker.running = nullptr;
}

bool run_next(Worker& worker) {
  Cell* cell = worker.pop_ready();
  if (cell == nullptr) return false;
  run(worker, *cell, worker.messages_per_turn);
  return true;
}

void kill(Worker& worker, Cell& cell, Envelope& envelope, DeadReason reason) noexcept {
  if (envelope.lane == Lane::tick) {
    alarms::finish(worker, cell, Alarm::of(envelope));
    return;
  }
  mailbox::release(cell, envelope);
  if (envelope.deliver == bell) return;  // stands for a list, is no message
  count_dead(worker, cell);
  envelope.reason = reason;
  publish_dead(worker, {&cell, envelope.generation}, envelope, reason);
  if (envelope.has(Envelope::waiting)) answer_waiting_send(envelope, life::drop_error(envelope, cell));
  envelope.deliver(Op::drop, &envelope, &cell, worker);
}

void drop_oldest(Worker& worker, Cell& cell, Envelope& envelope) noexcept {
  count_refusal(worker, {&cell, envelope.generation}, Fate::dropped);
  envelope.reason = DeadReason::dropped;
  publish_dead(worker, {&cell, envelope.generation}, envelope, DeadReason::dropped);
  envelope.deliver(Op::drop, &envelope, &cell, worker);
}

void kill_queue(Worker& worker, Cell& cell, DeadReason reason) noexcept {
  while (!cell.mail.empty()) kill(worker, cell, *cell.mail.pop(), reason);
  Side* side = cell.side.load(order::relaxed);
  if (side == nullptr) return;
  while (!side->high.empty()) kill(worker, cell, *side->high.pop(), reason);
  cell.done(Cell::has_high);
  EnvelopeList list = mailbox::close_list(cell);
  while (!list.empty()) kill(worker, cell, *list.pop(), reason);
  forget_redelivery(worker, cell);
}

void forget_redelivery(Worker& worker, Cell& cell) noexcept {
  Side* side = cell.side.load(order::relaxed);
  Envelope* envelope = side == nullptr ? nullptr : std::exchange(side->to_redeliver, nullptr);
  if (envelope == nullptr) return;
  envelope->deliver(Op::clear, envelope, &cell, worker);
  worker.free(envelope, envelope->size_class);
}

void kill_stash(Worker& worker, Cell& cell, DeadReason reason) noexcept {
  Side* side = cell.side.load(order::relaxed);
  if (side == nullptr) return;
  while (!side->stash.empty()) kill(worker, cell, *side->stash.pop(), reason);
  worker.counters.unstashed.add(std::exchange(side->stashed, 0));
}

void destroy_open(Worker& worker, Cell& cell) noexcept {
  for (;;) {
    Awaiter* awaiter = cell.open;
    while (awaiter != nullptr && awaiter->waiting == nullptr) awaiter = awaiter->next;
    if (awaiter == nullptr) break;
    PromiseBase* root = root_of(awaiter->waiting);
    Envelope* envelope = root->turn;
    root->self.destroy();
    --cell.open_turns;
    cell.unblock(Cell::turns_full);
    if (envelope->has(Envelope::chained)) middlewares::end_waiting(worker, cell, *envelope);
    if (envelope->has(Envelope::stashed)) continue;  // its fate is the stash's
    if (envelope->lane == Lane::tick) {
      worker.counters.handled.add();
      alarms::finish(worker, cell, Alarm::of(*envelope));
      continue;
    }
    if (!envelope->has(Envelope::hook | Envelope::notice)) worker.counters.handled.add();
    envelope->reason = DeadReason::stopped;
    envelope->deliver(Op::drop, envelope, &cell, worker);
  }
  cell.waits.store(0, order::relaxed);
}

void drain_last(Worker& worker, Cell& cell, Envelope* chain) noexcept {
  for (Envelope* envelope = reversed(chain); envelope != nullptr;) {
    Envelope* next = envelope->next;
    if (envelope->lane == Lane::system) {
      envelope->deliver(Op::drop, envelope, &cell, worker);
    } else if (envelope->lane == Lane::tick) {
      alarms::destroy(worker, Alarm::of(*envelope));
    } else {
      kill(worker, cell, *envelope, DeadReason::stopped);
    }
    envelope = next;
  }
}

const char* bell(Op op, Envelope* envelope, Cell* cell, Worker& worker) {
  if (op != Op::deliver) return "Bell";
  Envelope* message = mailbox::unlist(*cell);
  if (message == nullptr) return "Bell";
  cell->mail.prepend(envelope);
  begin_user(worker, *cell, *message);
  return "Bell";
}

}  // namespace troupe::turns
