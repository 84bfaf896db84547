#include <troupe/core/reply.hpp>

#include <troupe/core/alarm.hpp>
#include <troupe/core/life.hpp>
#include <troupe/core/side.hpp>

namespace troupe {

namespace replies {

void clear_edge(Cell& asker, std::uint32_t serial) noexcept {
  std::uint64_t edge = asker.waits.load(order::relaxed);
  if ((edge >> system_shift) != static_cast<std::uint16_t>(serial)) return;
  (void)asker.waits.compare_exchange_strong(edge, 0, order::relaxed, order::relaxed);
}

void push(Envelope* envelope) noexcept {
  if (envelope->has(Envelope::outside)) {
    auto* waiter = reinterpret_cast<Waiter*>(envelope->sender_generation);
    waiter->settle(waiter, envelope);
    return;
  }
  Cell& asker = *envelope->sender;
  envelope->lane = Lane::system;
  envelope->generation = envelope->sender_generation;
  envelope->flags = 0;
  clear_edge(asker, envelope->serial);
  Worker* near = worker_for(envelope->generation, Host::Errand::control);
  const auto pushed = near == nullptr ? mailbox::Push::refused : mailbox::push(asker, *envelope);
  if (pushed == mailbox::Push::scheduled) near->schedule(asker);
  if (pushed == mailbox::Push::refused) {
    envelope->deliver(Op::drop, envelope, &asker, near != nullptr ? *near : *memory_here());
  }
}

void count_late(Worker& worker, Cell* cell, Envelope* envelope) noexcept {
  worker.counters.late.add();
  if (worker.kernel == nullptr) return;
  worker.kernel->publish({.kind = EventKind::late_reply, .actor = {cell, envelope->generation}});
}

}  // namespace replies

void arrive(Worker& worker, Cell& cell, Awaiter& awaiter) {
  PromiseBase* promise = awaiter.waiting;
  if (promise == nullptr) {
    awaiter.arrived = true;  // awaited later: the value is there
    awaiter.leave();
    return;
  }
  if (cell.life == Life::failed) {
    awaiter.arrived = true;
    return;
  }
  worker.current.store(root_of(promise)->turn->deliver, order::relaxed);
  awaiter.leave();
  awaiter.settle(&awaiter, nullptr);
  advance(promise, &cell);
}

bool watch_deadline(Worker& worker, Cell& cell, Instant due) noexcept {
  Side* side = life::side_of(worker, cell);
  if (side == nullptr) return false;
  if (side->next_deadline <= due) return true;
  Alarm* alarm = alarms::make(worker, cell, Alarm::Kind::deadlines, 0, nullptr);
  if (alarm == nullptr) return false;
  side->next_deadline = due;
  alarms::arm(worker, *alarm, due);
  return true;
}

namespace {

Error timed_out(const Cell& cell, const Awaiter& awaiter) noexcept {
  Words words;
  words << cell.type.load(order::relaxed)->actor_class->name << " waited for "
        << awaiter.asked(Op::actor_name, nullptr, nullptr, nobody) << " to answer "
        << awaiter.asked(Op::message_name, nullptr, nullptr, nobody) << ", which did not happen before the deadline";
  return Error{Code::timeout, words.text()};
}

}  // namespace

void expire_overdue(Worker& worker, Cell& cell) {
  if (Side* side = cell.side.load(order::relaxed)) side->next_deadline = end_of_time;
  if (cell.life == Life::failed) return;  // values wait, and so do failures
  for (Awaiter* awaiter = cell.open; awaiter != nullptr;) {
    if (awaiter->due > worker.now || awaiter->waiting == nullptr || awaiter->arrived) {
      awaiter = awaiter->next;
      continue;
    }
    PromiseBase* promise = awaiter->waiting;
    Error error = timed_out(cell, *awaiter);
    replies::clear_edge(cell, awaiter->serial);
    awaiter->leave();
    awaiter->settle(awaiter, &error);
    advance(promise, &cell);
    awaiter = cell.open;
  }
  Instant earliest = end_of_time;
  for (Awaiter* awaiter = cell.open; awaiter != nullptr; awaiter = awaiter->next) {
    if (awaiter->due < earliest) earliest = awaiter->due;
  }
  // The tick that came gives its memory back only now, so there may be none: the next await tries again.
  if (earliest != end_of_time) (void)watch_deadline(worker, cell, earliest);
}

}  // namespace troupe
