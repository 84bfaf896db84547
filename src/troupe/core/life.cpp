#include <troupe/core/life.hpp>

#include <troupe/core/alarm.hpp>
#include <troupe/core/awaiter.hpp>
#include <troupe/core/behaviour.hpp>
#include <troupe/core/hook.hpp>
#include <troupe/core/orders.hpp>
#include <troupe/core/report.hpp>
#include <troupe/core/suspension.hpp>
#include <troupe/core/turn.hpp>
#include <troupe/core/watch.hpp>

namespace troupe::life {

namespace {

CellRef self(const Cell& cell) noexcept { return {const_cast<Cell*>(&cell), cell.generation.load(order::relaxed)}; }
const ActorClass& class_of(const Cell& cell) noexcept { return *cell.type.load(order::relaxed)->actor_class; }

void publish(Worker& worker, const Cell& cell, Event event) noexcept {
  event.actor = self(cell);
  event.actor_type = class_of(cell).name;
  worker.kernel->publish(event);
}

const Error* last_error(const Cell& cell) noexcept {
  const Side* side = cell.side.load(order::relaxed);
  return side != nullptr && side->last_error.has_value() ? &*side->last_error : nullptr;
}

// Nothing may be offered while it stops, drains or could not start.
void shut(Cell& cell) noexcept { mailbox::shut(cell); }

void open_again(Worker&, Cell& cell) noexcept {
  if (Side* side = cell.side.load(order::relaxed)) {
    side->lock.lock();
    side->unstarted_for = nullptr;
    side->closed = !mailbox_of(cell).locked();
    side->lock.unlock();
  }
  mailbox::set_limits(cell, mailbox_of(cell));
}

void stop_children(Cell& cell, bool forced) noexcept {
  const Side* side = cell.side.load(order::relaxed);
  if (side == nullptr) return;
  const bool guardian = cell.parent == nullptr;
  if (guardian) reports::adopt_newcomers(cell);
  const StopReason reason = guardian ? StopReason::shutdown : StopReason::parent_stopped;
  for (Cell* child = side->first_child; child != nullptr; child = child->next_sibling) {
    orders::order_stop(*child, child->generation.load(order::relaxed), reason, forced);
  }
}

// Timers, watches and subscriptions are the instance's own.
void release_holdings(Worker& worker, Cell& cell) noexcept {
  alarms::cancel_all(worker, cell);
  watches::forget_all(worker, cell);
  Directory* directory = worker.kernel->directory();
  if (directory != nullptr && cell.is(Cell::instance)) directory->unsubscribe(cell);
}

// The ending procedure begins: what the instance made goes, its children are told, and the rest follows in `end`.
void begin_end(Worker& worker, Cell& cell, Next next) noexcept {
  cell.life = Life::ending;
  cell.set_next(next);
  cell.block(Cell::not_running);
  cell.need(Cell::to_end);
  cell.done(Cell::to_start | Cell::has_thawed);
  cell.unmark(Cell::hook_done);
  turns::destroy_open(worker, cell);
  release_holdings(worker, cell);
  const bool stays_shut = next == Next::stop || next == Next::unstarted;
  if (stays_shut) {
    if (next == Next::stop) cell.done(Cell::draining);
    shut(cell);
    turns::kill_queue(worker, cell, next == Next::stop ? DeadReason::stopped : DeadReason::start_failed);
  }
  if (next != Next::restart_in_place) {
    turns::kill_stash(worker, cell, next == Next::stop ? DeadReason::stopped : DeadReason::restarted);
  }
  stop_children(cell, cell.is(Cell::forced));
  // A child's end hook that asks this actor would wait for an actor that waits for it.
  const Side* side = cell.side.load(order::relaxed);
  if (side != nullptr && side->children > 0) cell.waits.store(ending_edge, order::relaxed);
}

void freeze(Worker& worker, Cell& cell, Error&& error, const char* message, bool in_start) noexcept {
  cell.life = Life::failed;
  cell.block(Cell::not_running);
  if (Side* side = side_of(worker, cell)) {
    side->last_error = error;
    side->failure = std::move(error);
    side->failed_message = message;
  }
  reports::send_failure(worker, cell, in_start);
}

void start_failed(Worker& worker, Cell& cell, Error&& error) noexcept {
  Side* side = side_of(worker, cell);
  const StartPolicy& policy = cell.recipe->options->start;
  publish(worker, cell,
          {.kind = EventKind::start_failed, .error = &error, .number = side == nullptr ? 1u : side->attempt});
  if (!policy.present() || side == nullptr) {
    freeze(worker, cell, std::move(error), "Started", true);
    return;
  }
  const Duration elapsed(static_cast<Duration::rep>(worker.now - side->first_attempt));
  const StartAction action = policy.decide({.attempt = side->attempt, .error = error, .elapsed = elapsed});
  side->last_error = std::move(error);
  if (action.kind == StartAction::Kind::give_up) {
    begin_end(worker, cell, Next::unstarted);
    return;
  }
  ++side->attempt;
  side->retry_after = action.delay;
  begin_end(worker, cell, Next::retry);
}

void become_running(Worker& worker, Cell& cell) noexcept {
  cell.life = Life::running;
  cell.unblock(Cell::not_running);
  cell.mark(Cell::started);
  Side* side = cell.side.load(order::relaxed);
  if (side == nullptr) return;
  side->attempt = 0;
  side->last_error.reset();  // it is over: a later end must not be blamed on it
  if (Envelope* envelope = std::exchange(side->to_redeliver, nullptr)) {
    worker.counters.sent.add();
    if (envelope->lane == Lane::high) {
      side->high.prepend(envelope);
      cell.need(Cell::has_high);
    } else {
      cell.mail.prepend(envelope);
    }
  }
}

void begin_start(Worker& worker, Cell& cell) noexcept {
  cell.life = Life::starting;
  cell.block(Cell::not_running);
  cell.need(Cell::to_start);
  if (!cell.recipe->options->start.present()) return;
  if (Side* side = side_of(worker, cell); side != nullptr && side->attempt == 0) {
    side->attempt = 1;
    side->first_attempt = worker.now;
  }
}

void become_unstarted(Worker& worker, Cell& cell) noexcept {
  cell.life = Life::unstarted;
  Side* side = cell.side.load(order::relaxed);
  side->attempt = 0;
  side->lock.lock();
  side->unstarted_for = &*side->last_error;
  side->lock.unlock();
  publish(worker, cell, {.kind = EventKind::unstarted, .error = &*side->last_error});
}

void wait_to_retry(Worker& worker, Cell& cell) noexcept {
  cell.life = Life::waiting;
  const Duration delay = cell.side.load(order::relaxed)->retry_after;
  Alarm* alarm = delay <= Duration::zero() ? nullptr : alarms::make(worker, cell, Alarm::Kind::retry, 0, nullptr);
  if (alarm == nullptr) {
    begin_start(worker, cell);
  } else {
    alarms::arm(worker, *alarm, after(worker.now, delay));
  }
}

void begin_again(Worker& worker, Cell& cell) noexcept {
  publish(worker, cell, {.kind = EventKind::restarted, .error = last_error(cell), .number = cell.incarnation});
  cell.type.load(order::relaxed)->counters[worker.index].restarts.add();
  begin_start(worker, cell);
}

void destroy_instance(Worker& worker, Cell& cell) noexcept {
  if (Side* side = cell.side.load(order::relaxed)) detail::discard_chosen(worker, *side);
  if (!cell.is(Cell::instance)) return;
  cell.unmark(Cell::instance);
  class_of(cell).destroy(cell.state());
}

// Word closed, last chain answered, name freed, report sent, then the watchers: see rule 13. Once the report is out
// the parent may reuse the cell, so everything needed later is taken before.
void close(Worker& worker, Cell& cell) noexcept {
  orders::close(cell);
  const StopReason reason = orders::reason_of(cell.orders.load(order::relaxed));
  const bool forced = cell.is(Cell::forced);
  publish(worker, cell, {.kind = EventKind::stopped, .error = last_error(cell), .stop_reason = reason});
  suspensions::close(worker, cell);
  turns::kill_queue(worker, cell, DeadReason::stopped);
  turns::drain_last(worker, cell, mailbox::chain_of(mailbox::close(cell)));
  cell.life = Life::closed;
  Watch* watchers = nullptr;
  std::optional<Error> error;
  if (Side* side = cell.side.load(order::relaxed)) {
    watchers = std::exchange(side->watchers, nullptr);
    if (watchers != nullptr) error = std::move(side->last_error);
    if (side->name != nullptr) worker.kernel->directory()->release(cell);
  }
  const CellRef ended = self(cell);
  reports::send_end(worker, cell);
  watches::tell_all(worker, watchers, ended, reason, forced, error);
}

void resume(Worker& worker, Cell& cell) noexcept {
  cell.life = Life::running;
  cell.unblock(Cell::not_running);
  cell.need(Cell::has_thawed);
  turns::forget_redelivery(worker, cell);
  publish(worker, cell, {.kind = EventKind::resumed, .error = last_error(cell)});
  Side* side = cell.side.load(order::relaxed);
  if (side == nullptr) return;
  side->last_error.reset();
}

void follow_stop(Worker& worker, Cell& cell, orders::Word word) noexcept {
  if ((word & orders::stop) != 0 && cell.life != Life::ending) {
    if ((word & orders::force) != 0) cell.mark(Cell::forced);
    begin_end(worker, cell, Next::stop);
  } else if ((word & orders::stop) != 0 && cell.next() != Next::stop) {
    cell.set_next(Next::stop);
    shut(cell);
    turns::kill_queue(worker, cell, DeadReason::stopped);
    turns::kill_stash(worker, cell, DeadReason::stopped);
  }
  if ((word & orders::force) == 0 || cell.life != Life::ending) return;
  const bool first = !cell.is(Cell::forced);
  cell.mark(Cell::forced);
  if (first) stop_children(cell, true);
  if (cell.open_turns > 0) {
    turns::destroy_open(worker, cell);
    cell.mark(Cell::hook_done);
  }
}

void follow_drain(Cell& cell) noexcept {
  shut(cell);
  if (Side* side = cell.side.load(order::relaxed)) {
    side->lock.lock();
    side->closed = true;
    side->lock.unlock();
  }
  cell.need(Cell::draining);
}

void follow_target(Worker& worker, Cell& cell, orders::Word word) noexcept {
  const std::uint16_t target = orders::target_of(word);
  const bool unmade = cell.life == Life::starting && !cell.is(Cell::instance);
  if (cell.life == Life::waiting || cell.life == Life::unstarted || unmade) {
    cell.incarnation = target;
  } else {
    begin_end(worker, cell, (word & orders::in_place) != 0 ? Next::restart_in_place : Next::restart);
  }
}

}  // namespace

const MailboxOptions& mailbox_of(const Cell& cell) noexcept {
  const ActorOptions& options = *cell.recipe->options;
  return options.own_mailbox ? options.mailbox : cell.type.load(order::relaxed)->kernel->options().mailbox;
}

void take_orders(Worker& worker, Cell& cell) noexcept {
  constexpr orders::Word edges = orders::resume | orders::start_again;
  orders::Word word = cell.orders.load(order::acquire);
  if ((word & edges) != 0) word = cell.orders.fetch_and(~edges, order::acq_rel);
  follow_stop(worker, cell, word);
  if (cell.life == Life::ending && cell.next() == Next::stop) return;
  // Levels outlast an ending that leads to another instance, and nobody will announce them again.
  suspensions::follow(worker, cell, (word & orders::suspended) != 0);
  if ((word & orders::drain) != 0 && (cell.pending & Cell::draining) == 0) follow_drain(cell);
  if (cell.life == Life::ending) return;
  if (orders::target_of(word) != cell.incarnation) {
    follow_target(worker, cell, word);
    return;
  }
  if ((word & orders::resume) != 0 && cell.life == Life::failed) resume(worker, cell);
  if ((word & orders::start_again) == 0) return;
  if (cell.life == Life::unstarted) open_again(worker, cell);
  if (cell.life == Life::unstarted || cell.life == Life::waiting) {
    alarms::cancel_all(worker, cell);
    begin_start(worker, cell);
  }
}

void fail(Worker& worker, Cell& cell, Error error, const char* message, CellRef sender) noexcept {
  publish(worker, cell, {.kind = EventKind::failed, .sender = sender, .message = message, .error = &error});
  if (worker.inside()) cell.type.load(order::relaxed)->counters[worker.index].failed.add();
  if (cell.life == Life::running) return freeze(worker, cell, std::move(error), message, false);
  if (cell.life == Life::starting) start_failed(worker, cell, std::move(error));
}

Step start(Worker& worker, Cell& cell) noexcept {
  if (cell.open_turns > 0) return Step::waiting;
  cell.done(Cell::to_start);
  Side* side = cell.side.load(order::relaxed);
  if (side != nullptr && side->attempt == 1) side->first_attempt = worker.now;
  if (!cell.is(Cell::instance)) {
    Error error{Code::failed};
    if (!cell.recipe->construct(*cell.recipe, cell.state(), error)) {
      fail(worker, cell, std::move(error), "constructor", {});
      return Step::made;
    }
    cell.mark(Cell::instance);
  }
  const ActorClass& actor_class = class_of(cell);
  if (actor_class.started == nullptr) {
    become_running(worker, cell);
    return Step::made;
  }
  const unsigned attempt = side == nullptr || side->attempt == 0 ? 1 : side->attempt;
  hooks::run(worker, cell, actor_class.started, Started{.attempt = attempt, .incarnation = cell.incarnation});
  return Step::made;
}

namespace {

// One end hook an instance, if its Started finished. True: it is over.
bool run_end_hook(Worker& worker, Cell& cell) noexcept {
  if (!cell.is(Cell::started) || cell.is(Cell::hook_done)) return true;
  if (cell.open_turns > 0) return false;
  const ActorClass& actor_class = class_of(cell);
  const bool restarting = cell.next() != Next::stop;
  const bool forced = cell.is(Cell::forced);
  if (restarting && actor_class.restarting != nullptr) {
    hooks::run(worker, cell, actor_class.restarting, Restarting{.error = last_error(cell)});
  } else if (actor_class.stopping != nullptr) {
    const StopReason reason = orders::reason_of(cell.orders.load(order::relaxed));
    hooks::run(worker, cell, actor_class.stopping,
               Stopping{.reason = reason, .forced = forced, .restarting = restarting, .error = last_error(cell)});
  } else {
    return true;
  }
  if (cell.open_turns == 0) return true;
  const Duration within = forced ? Duration::zero() : cell.recipe->options->stop_within;
  Alarm* alarm = alarms::make(worker, cell, Alarm::Kind::give_up, 0, nullptr);
  if (alarm != nullptr) alarms::arm(worker, *alarm, after(worker.now, within));
  return false;
}

}  // namespace

Step end(Worker& worker, Cell& cell) noexcept {
  const Side* side = cell.side.load(order::relaxed);
  if (side != nullptr && side->children > 0) return Step::waiting;
  // Nobody but the owner changes this edge. That of the end hook's own ask stays, whatever wakes the actor meanwhile.
  if (cell.waits.load(order::relaxed) == ending_edge) cell.waits.store(0, order::relaxed);
  if (!run_end_hook(worker, cell)) return Step::waiting;
  release_holdings(worker, cell);  // what the end hook itself made
  cell.unmark(Cell::started | Cell::hook_done);
  cell.done(Cell::to_end);
  const Next next = cell.next();
  if (next != Next::restart_in_place) destroy_instance(worker, cell);
  if (next == Next::stop) {
    close(worker, cell);
    return Step::gone;
  }
  cell.incarnation = orders::target_of(cell.orders.load(order::acquire));
  if (next == Next::retry) {
    wait_to_retry(worker, cell);
  } else if (next == Next::unstarted) {
    become_unstarted(worker, cell);
  } else {
    begin_again(worker, cell);
  }
  return Step::made;
}

void hook_ended(Worker& worker, Cell& cell, Result<void>&& result) noexcept {
  if (cell.life == Life::starting) {
    if (result.has_value()) {
      become_running(worker, cell);
    } else {
      fail(worker, cell, std::move(result.error()), "Started", {});
    }
    return;
  }
  cell.mark(Cell::hook_done);
  if (!result.has_value()) publish(worker, cell, {.kind = EventKind::stop_hook_failed, .error = &result.error()});
}

void retry_is_due(Worker& worker, Cell& cell) noexcept {
  if (cell.life == Life::waiting) begin_start(worker, cell);
}

void hook_is_overdue(Worker& worker, Cell& cell) noexcept {
  if (cell.life != Life::ending || cell.open_turns == 0) return;
  const Error error{Code::timeout, "the stop hook did not end in time and was cut short"};
  publish(worker, cell, {.kind = EventKind::stop_hook_failed, .error = &error});
  turns::destroy_open(worker, cell);
  cell.mark(Cell::hook_done | Cell::forced);
}

}  // namespace troupe::life
