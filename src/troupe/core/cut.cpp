#include <troupe/core/cut.hpp>

#include <utility>

#include <troupe/core/alarm.hpp>
#include <troupe/core/awaiter.hpp>
#include <troupe/core/behaviour.hpp>
#include <troupe/core/mailbox.hpp>
#include <troupe/core/options.hpp>
#include <troupe/core/orders.hpp>
#include <troupe/core/report.hpp>
#include <troupe/core/side.hpp>
#include <troupe/core/turn.hpp>
#include <troupe/core/watch.hpp>

namespace troupe::life {

namespace {

void discard(Worker& worker, Cell& cell, Envelope& envelope) noexcept {
  if (envelope.deliver == turns::bell) return;
  if (envelope.lane == Lane::tick) {
    alarms::destroy(worker, Alarm::of(envelope));
    return;
  }
  if (envelope.lane == Lane::system) {
    envelope.deliver(Op::drop, &envelope, &cell, worker);
    return;
  }
  if (envelope.has(Envelope::waiting)) {
    Envelope* answer = envelope.tail<Envelope*>();
    worker.free(answer, answer->size_class);
  }
  mailbox::release(cell, envelope);  // the cell's next life counts on from here
  envelope.deliver(Op::clear, &envelope, &cell, worker);
  worker.free(&envelope, envelope.size_class);
}

void discard_list(Worker& worker, Cell& cell, EnvelopeList list) noexcept {
  while (!list.empty()) discard(worker, cell, *list.pop());
}

void discard_open_turns(Worker& worker, Cell& cell) noexcept {
  for (;;) {
    Awaiter* awaiter = cell.open;
    while (awaiter != nullptr && awaiter->waiting == nullptr) awaiter = awaiter->next;
    if (awaiter == nullptr) return;
    PromiseBase* root = root_of(awaiter->waiting);
    Envelope* envelope = root->turn;
    root->self.destroy();
    --cell.open_turns;
    envelope->flags = static_cast<std::uint8_t>(envelope->flags & ~Envelope::chained);  // begun, so nobody's send waits
    if (envelope->has(Envelope::stashed)) continue;                                     // it goes with the stash
    discard(worker, cell, *envelope);
  }
}

void discard_chain(Worker& worker, Cell& cell) noexcept {
  Envelope* envelope = mailbox::chain_of(mailbox::close(cell));
  // Newest first: an unwatch is met before the watch it follows, so the chain is turned round.
  EnvelopeList oldest_first;
  while (envelope != nullptr) {
    Envelope* next = envelope->next;
    oldest_first.prepend(envelope);
    envelope = next;
  }
  discard_list(worker, cell, oldest_first);
}

void cut(Worker& worker, Cell& cell) noexcept;

void cut_children(Worker& worker, Cell& cell) noexcept {
  Side* side = cell.side.load(order::relaxed);
  if (side == nullptr) return;
  while (Cell* child = side->first_child) {
    cut(worker, *child);
    reports::release_child(worker, *side, *child);
  }
}

void discard_side(Worker& worker, Cell& cell) noexcept {
  Side* side = cell.side.load(order::relaxed);
  if (side == nullptr) return;
  discard_list(worker, cell, std::exchange(side->high, {}));
  discard_list(worker, cell, std::exchange(side->stash, {}));
  discard_list(worker, cell, std::exchange(side->notices, {}));
  discard_list(worker, cell, mailbox::close_list(cell));
  turns::forget_redelivery(worker, cell);
  detail::discard_chosen(worker, *side);
  side->watches = nullptr;  // the blocks are their targets'
  watches::discard_all(worker, std::exchange(side->watchers, nullptr), cell);
}

void cut(Worker& worker, Cell& cell) noexcept {
  cut_children(worker, cell);
  if (cell.life == Life::closed) return;  // it only waited for its parent to notice
  orders::close(cell);
  alarms::cancel_all(worker, cell);  // first: what has fired is freed where it waits
  discard_open_turns(worker, cell);
  while (!cell.mail.empty()) discard(worker, cell, *cell.mail.pop());
  discard_chain(worker, cell);
  discard_side(worker, cell);
  if (cell.is(Cell::instance)) cell.type.load(order::relaxed)->actor_class->destroy(cell.state());
  cell.unmark(Cell::instance);
  cell.life = Life::closed;
}

}  // namespace

void cut_all(Worker& worker, Kernel& kernel) noexcept {
  reports::adopt_newcomers(kernel.guardian());
  cut_children(worker, kernel.guardian());
}

}  // namespace troupe::life
