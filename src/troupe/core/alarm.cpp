#include <troupe/core/alarm.hpp>

#include <new>

#include <troupe/core/kernel.hpp>
#include <troupe/core/life.hpp>
#include <troupe/core/mailbox.hpp>
#include <troupe/core/side.hpp>

namespace troupe::alarms {

namespace {

const char* control_name(Op, Envelope*, Cell*, Worker&) { return "Alarm"; }

void unlist(Worker& worker, Side& side, Alarm& alarm) noexcept {
  if (!alarm.listed) return;
  side.alarms.remove(worker, alarm);
  alarm.listed = false;
}

void send_home(Alarm& alarm) noexcept {
  Alarm* first = alarm.home->cancelled.load(order::relaxed);
  do {
    alarm.next_cancelled = first;
  } while (!alarm.home->cancelled.compare_exchange_weak(first, &alarm, order::release, order::relaxed));
}

// A guest may have met it in the wheel after it was cancelled, and then it has left.
void take_out(Worker& worker, Alarm& alarm) noexcept {
  const Owning owning(worker.lock);
  if (alarm.node.armed()) worker.wheel->cancel(alarm.node);
}

void free_cancelled(Worker& worker) noexcept {
  Alarm* alarm = worker.cancelled.exchange(nullptr, order::acquire);
  while (alarm != nullptr) {
    Alarm* next = alarm->next_cancelled;
    take_out(worker, *alarm);
    destroy(worker, *alarm);
    alarm = next;
  }
}

Alarm& alarm_of(WheelNode& node) noexcept {
  return *reinterpret_cast<Alarm*>(reinterpret_cast<std::byte*>(&node) - offsetof(Alarm, node));
}

}  // namespace

Alarm* make(Worker& worker, Cell& cell, Alarm::Kind kind, std::size_t message_bytes, Deliver deliver,
            std::uint64_t key) noexcept {
  Side* side = life::side_of(worker, cell);
  const SizeClass size_class = size_class_of(sizeof(Alarm) + message_bytes);
  void* memory = side == nullptr || size_class == 0 ? nullptr : worker.allocate(size_class);
  if (memory == nullptr) return nullptr;
  auto* alarm = new (memory) Alarm{};
  alarm->envelope.deliver = deliver != nullptr ? deliver : control_name;
  alarm->envelope.generation = cell.generation.load(order::relaxed);
  alarm->envelope.sender = &cell;
  alarm->envelope.sender_generation = alarm->envelope.generation;
  alarm->envelope.lane = Lane::tick;
  alarm->envelope.size_class = size_class;
  alarm->cell = &cell;
  alarm->kind = kind;
  alarm->key = key;
  side->alarms.add(worker, *alarm);
  alarm->listed = true;
  return alarm;
}

void arm(Worker& worker, Alarm& alarm, Instant due) noexcept {
  alarm.home = &worker;
  alarm.state.store(Alarm::State::armed, order::relaxed);
  const Owning owning(worker.lock);
  worker.wheel->arm(alarm.node, due);
}

void cancel(Worker& worker, Cell& cell, Alarm& alarm) noexcept {
  unlist(worker, *cell.side.load(order::relaxed), alarm);
  if (alarm.state.exchange(Alarm::State::cancelled, order::acq_rel) != Alarm::State::armed) return;  // on its way here
  if (alarm.home == &worker) {
    take_out(worker, alarm);
    destroy(worker, alarm);
  } else {
    send_home(alarm);
  }
}

void cancel_all(Worker& worker, Cell& cell) noexcept {
  Side* side = cell.side.load(order::relaxed);
  if (side == nullptr) return;
  while (Alarm* alarm = side->alarms.any()) cancel(worker, cell, *alarm);
  side->next_deadline = end_of_time;
}

Alarm* find(Cell& cell, std::uint64_t key) noexcept {
  Side* side = cell.side.load(order::relaxed);
  return side == nullptr ? nullptr : side->alarms.find(key);
}

void finish(Worker& worker, Cell& cell, Alarm& alarm) noexcept {
  if (alarm.listed && alarm.period > Duration::zero()) {
    // Fixed rate, without a burst for what was missed: the next multiple that lies ahead.
    const auto period = static_cast<Instant>(alarm.period.count());
    const Instant due = alarm.node.due + period;
    arm(worker, alarm, due > worker.now ? due : worker.now + period - (worker.now - due) % period);
    return;
  }
  if (alarm.listed) unlist(worker, *cell.side.load(order::relaxed), alarm);
  destroy(worker, alarm);
}

void destroy(Worker& worker, Alarm& alarm) noexcept {
  if (alarm.kind == Alarm::Kind::timer) alarm.envelope.deliver(Op::clear, &alarm.envelope, alarm.cell, worker);
  worker.free(&alarm, alarm.envelope.size_class);
}

namespace {

// Inside the lock.
Alarm* expire(Wheel& wheel, Instant now) noexcept {
  while (WheelNode* node = wheel.expire(now)) {
    Alarm& alarm = alarm_of(*node);
    Alarm::State state = Alarm::State::armed;
    if (alarm.state.compare_exchange_strong(state, Alarm::State::fired, order::acq_rel, order::relaxed)) return &alarm;
    // It was cancelled on another worker, is on its way home and is freed there.
  }
  return nullptr;
}

}  // namespace

void fire(Worker& by, Alarm& alarm) noexcept {
  Cell& cell = *alarm.cell;
  const auto pushed = mailbox::push(cell, alarm.envelope);
  if (pushed == mailbox::Push::refused) destroy(by, alarm);
  if (pushed == mailbox::Push::scheduled) by.schedule(cell);
}

Instant next_look(Worker& worker) noexcept {
  const Owning owning(worker.lock);
  return worker.wheel->next_look();
}

bool fire_next(Worker& worker) noexcept {
  worker.lock.lock();
  Alarm* alarm = expire(*worker.wheel, worker.now);
  worker.lock.unlock();
  if (alarm == nullptr) return false;
  fire(worker, *alarm);
  return true;
}

void take_due(Worker& home, Instant now, Due& due) noexcept {
  for (due.count = 0; due.count < Due::most; ++due.count) {
    Alarm* alarm = expire(*home.wheel, now);
    if (alarm == nullptr) return;
    due.alarms[due.count] = alarm;
  }
}

void fire_due(Worker& worker) noexcept {
  if (worker.cancelled.load(order::relaxed) != nullptr) free_cancelled(worker);
  while (fire_next(worker)) {
  }
}

void discard_all(Worker& worker) noexcept {
  while (WheelNode* node = worker.wheel->pop()) {
    Alarm& alarm = alarm_of(*node);
    if (alarm.state.load(order::relaxed) == Alarm::State::armed) destroy(worker, alarm);
  }
  free_cancelled(worker);
}

}  // namespace troupe::alarms
