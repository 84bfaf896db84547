// Timers: messages that an actor will send to itself.
//
// They never run a closure over the actor's state: a tick is a message and has its turn like any other, in the high
// lane. A tick that was not handled yet keeps its timer from firing again. All of them end with the instance.
#pragma once

#include <new>
#include <utility>

#include <troupe/core/alarm.hpp>
#include <troupe/core/context.hpp>
#include <troupe/core/delivery.hpp>

namespace troupe {

template <class A, class M>
Result<TimerKey> Context::start_timer(Duration delay, Duration period, M&& message, TimerKey key) {
  static_assert(alignof(M) <= 16, "a message is aligned to at most 16 bytes");
  static_assert(std::is_nothrow_move_constructible_v<M>, "a timer's message must be movable without an exception");
  Worker& worker = *current_worker;
  Cell& cell = *worker.running;
  if (key) cancel(key);
  if (!key) key = TimerKey::own(++cell.serial);
  Alarm* alarm = alarms::make(worker, cell, Alarm::Kind::timer, sizeof(M), &detail::deliver_as<A, M, detail::TickTurn>,
                              key.value());
  if (alarm == nullptr) return Error{Code::exhausted, "no memory for another timer"};
  new (alarm->message()) M(std::forward<M>(message));
  alarm->period = period;
  // The worker looked at the clock when its batch began, and this handler may have run for long.
  alarms::arm(worker, *alarm, troupe::after(worker.kernel->clock().now(), delay));
  return key;
}

template <class A, class M>
Result<TimerKey> Context::after(const A*, Duration delay, M message, TimerKey key) {
  if constexpr (!Handles<ActorOf<A>, M>) {
    (void)sizeof(ActorDoesNotHandle<ActorOf<A>, M>);
    return key;
  } else {
    return start_timer<ActorOf<A>, M>(delay, Duration::zero(), std::move(message), key);
  }
}

template <class A, class M>
Result<TimerKey> Context::every(const A*, Duration period, M message, TimerKey key) {
  if constexpr (!Handles<ActorOf<A>, M>) {
    (void)sizeof(ActorDoesNotHandle<ActorOf<A>, M>);
    return key;
  } else {
    static_assert(detail::TakesMessage<ActorOf<A>, M> || detail::TakesMessageAndContext<ActorOf<A>, M>,
                  "a periodic timer keeps its message: its handler takes it by const reference");
    if (period <= Duration::zero()) return Error{Code::invalid, "a period is longer than nothing"};
    return start_timer<ActorOf<A>, M>(period, period, std::move(message), key);
  }
}

}  // namespace troupe
