#include <troupe/core/context.hpp>

#include <troupe/core/alarm.hpp>
#include <troupe/core/behaviour.hpp>
#include <troupe/core/kernel.hpp>
#include <troupe/core/life.hpp>
#include <troupe/core/orders.hpp>
#include <troupe/core/side.hpp>
#include <troupe/core/turn.hpp>
#include <troupe/core/watch.hpp>

namespace troupe {

namespace {

Cell& running() noexcept { return *current_worker->running; }
CellRef ref_to(Cell& cell) noexcept { return {&cell, cell.generation.load(order::relaxed)}; }

}  // namespace

AnyRef Context::self() const noexcept { return AnyRef(ref_to(running())); }

AnyRef Context::sender() const noexcept {
  if (has(Envelope::outside) || Envelope::sender == nullptr) return {};
  return AnyRef({Envelope::sender, sender_generation});
}

AnyRef Context::parent() const noexcept {
  Cell* parent = running().parent;
  return parent == nullptr || parent->parent == nullptr ? AnyRef() : AnyRef(ref_to(*parent));
}

void Context::stop() noexcept { self().stop(); }

Result<void> Context::watch(const AnyRef& who) noexcept {
  if (watches::watch(*current_worker, running(), who.cell())) return {};
  return Error{Code::exhausted, "no memory for another watch"};
}

void Context::unwatch(const AnyRef& who) noexcept { watches::unwatch(*current_worker, running(), who.cell()); }

void Context::cancel(TimerKey key) noexcept {
  if (Alarm* alarm = alarms::find(running(), key.value())) alarms::cancel(*current_worker, running(), *alarm);
}

Result<void> Context::stash() noexcept {
  Worker& worker = *current_worker;
  Cell& cell = running();
  Side* side = life::side_of(worker, cell);
  const bool plain = lane != Lane::tick && (flags & (hook | notice | kept | Envelope::stashed)) == 0;
  if (!plain) return Error{Code::invalid, "only a message can be stashed, once, and not after keep"};
  if (side == nullptr || side->stashed >= cell.recipe->options->stash_capacity) {
    worker.kernel->publish({.kind = EventKind::stash_full,
                            .actor = ref_to(cell),
                            .actor_type = cell.type.load(order::relaxed)->actor_class->name,
                            .message = deliver(Op::message_name, nullptr, nullptr, worker)});
    return Error{Code::full, "the stash is full: raise Props::stash, or handle or refuse the message"};
  }
  flags = static_cast<std::uint8_t>(flags | Envelope::stashed);
  side->stash.append(this);
  ++side->stashed;
  worker.counters.stashed.add();
  return {};
}

void Context::unstash() noexcept { unstash_all(running()); }

std::uint32_t Context::stashed() const noexcept {
  const Side* side = running().side.load(order::relaxed);
  return side == nullptr ? 0 : side->stashed;
}

void unstash_all(Cell& cell) noexcept {
  Side* side = cell.side.load(order::relaxed);
  if (side == nullptr) return;
  // Newest first to the front, so that they come back in the order in which they were put aside.
  EnvelopeList reversed;
  while (!side->stash.empty()) reversed.prepend(side->stash.pop());
  while (!reversed.empty()) {
    Envelope* envelope = reversed.pop();  // stays marked until it begins: its handler may be running still
    if (envelope->lane == Lane::high) {
      side->high.prepend(envelope);
      cell.need(Cell::has_high);
    } else {
      cell.mail.prepend(envelope);
    }
  }
  current_worker->counters.unstashed.add(std::exchange(side->stashed, 0));
}

void detail::discard_chosen(Worker& worker, Side& side) noexcept {
  auto* chosen = static_cast<Chosen*>(std::exchange(side.behaviour, nullptr));
  if (chosen == nullptr) return;
  chosen->destroy(chosen->behaviour());
  worker.free(chosen, chosen->size_class);
}

Instant Context::now() const noexcept { return current_worker->now; }

Instant Context::deadline() const noexcept {
  if (serial == 0) return end_of_time;
  return const_cast<Context*>(this)->tail<Instant>();
}

bool Context::cancelled() const noexcept {
  Worker& worker = *current_worker;
  if (worker.kernel->closing.load(order::relaxed)) return true;
  if ((running().orders.load(order::relaxed) & orders::force) != 0) return true;
  return serial != 0 && deadline() <= worker.kernel->clock().now();
}

}  // namespace troupe
