#include <troupe/core/mailbox.hpp>

#include <algorithm>

#include <troupe/core/event.hpp>
#include <troupe/core/kernel.hpp>
#include <troupe/core/orders.hpp>
#include <troupe/core/side.hpp>

namespace troupe {

void SpinLock::lock() noexcept {
  for (unsigned tries = 0; held_.exchange(true, order::acquire); ++tries) {
    while (held_.load(order::relaxed)) {
      spin_pause();
      if (++tries > 64 && host != nullptr) host->relax();
    }
  }
}

}  // namespace troupe

namespace troupe::mailbox {

namespace {

// Runs `work` under the side's lock if the side still belongs to this life of the cell.
template <class Work>
bool locked(Cell& cell, Generation generation, Work work) noexcept {
  Side* side = cell.side.load(order::acquire);
  if (side == nullptr) return false;
  side->lock.lock();
  const bool same = side->cell == &cell && side->generation == generation;
  if (same) work(*side);
  side->lock.unlock();
  return same;
}

// Doubles a mailbox that may grow, up to its maximum. Under the side's lock, so that two growers keep the reserve
// between the limits; by compare-and-swap, because an actor that stops sets both to zero without it.
Verdict grow(Worker& worker, Cell& cell, Generation generation) noexcept {
  Verdict verdict = Verdict::again;
  std::uint32_t grown = 0;
  locked(cell, generation, [&](Side& side) {
    std::uint32_t normal = cell.limit[0].load(order::relaxed);
    std::uint32_t high = cell.limit[1].load(order::relaxed);
    if (normal == 0 || high < normal) return;
    if (normal >= side.capacity) {
      verdict = Verdict::full;
      return;
    }
    const std::uint32_t larger = std::min(normal * 2, side.capacity);
    const std::uint32_t reserve = high - normal;
    if (!cell.limit[0].compare_exchange_strong(normal, larger, order::relaxed, order::relaxed)) return;
    (void)cell.limit[1].compare_exchange_strong(high, larger + reserve, order::relaxed, order::relaxed);
    grown = larger;
  });
  if (grown != 0) {
    worker.kernel->publish({.kind = EventKind::mailbox_grown, .actor = {&cell, generation}, .number = grown});
  }
  return verdict;
}

Verdict examine_shut(Cell& cell, Generation generation, Lane lane) noexcept {
  Verdict verdict = Verdict::stopped;
  locked(cell, generation, [&](Side& side) {
    if (side.unstarted_for != nullptr) {
      verdict = Verdict::not_started;
    } else if (lane == Lane::normal && side.capacity != 0 && !side.closed) {
      verdict = Verdict::locked;
    }
  });
  return verdict;
}

}  // namespace

Verdict examine(Worker& worker, Cell& cell, Generation generation, Lane lane, Word word) noexcept {
  const std::uint32_t held = queued(cell, word, order::acquire);
  const std::uint32_t limit = cell.limit[limit_of(lane)].load(order::relaxed);
  const orders::Word orders = cell.orders.load(order::acquire);
  if (cell.generation.load(order::relaxed) != generation || (word & closed) != 0) return Verdict::stopped;
  // Without this look a sender that slept while others sent and finished sees a difference that has wrapped.
  if (cell.word.load(order::relaxed) != word) return Verdict::again;
  if (limit == 0) return examine_shut(cell, generation, lane);
  if (held < limit) return Verdict::again;
  if (lane == Lane::high) {
    worker.kernel->publish({.kind = EventKind::reserve_exhausted, .actor = {&cell, generation}, .number = limit});
    return Verdict::full;
  }
  switch (orders::overflow_of(orders)) {
    case Overflow::drop_newest:
      return Verdict::drop_newest;
    case Overflow::grow:
      return grow(worker, cell, generation);
    default:
      return Verdict::full;
  }
}

void set_limits(Cell& cell, const MailboxOptions& options) noexcept {
  const bool list = options.locked();
  const std::uint32_t normal = list ? 0 : options.capacity;
  const std::uint32_t high = list                ? options.reserve
                             : options.bounded() ? options.capacity + options.reserve
                                                 : MailboxOptions::no_bound;
  cell.limit[0].store(normal, order::relaxed);
  cell.limit[1].store(high, order::relaxed);
}

void open(Cell& cell, Generation generation, const MailboxOptions& options) noexcept {
  cell.generation.store(generation, order::relaxed);
  cell.orders.store(orders::fresh(generation, options.overflow), order::relaxed);
  set_limits(cell, options);
  // Nobody compares-and-swaps a closed word, so a plain store opens it, owned by the caller.
  const Word word = cell.word.load(order::relaxed);
  cell.word.store(word & count_bits, order::release);
}

Listed enlist(Worker& worker, Cell& cell, Envelope& envelope) noexcept {
  Listed listed{Verdict::stopped};
  bool ring = false;
  Push pushed = Push::done;
  locked(cell, envelope.generation, [&](Side& side) {
    if (side.closed || side.unstarted_for != nullptr) return;
    if (side.count >= side.capacity) {
      const Overflow::Kind overflow = orders::overflow_of(cell.orders.load(order::relaxed));
      if (overflow != Overflow::drop_oldest) {
        listed.verdict = overflow == Overflow::drop_newest ? Verdict::drop_newest : Verdict::full;
        return;
      }
      listed.fell = side.list.pop();
      --side.count;
    }
    side.list.append(&envelope);
    ++side.count;
    listed.verdict = Verdict::again;
    if (side.rung) return;
    // Under the lock, so that the list is never empty while its bell is in the chain, nor full while it is not.
    side.rung = true;
    ring = true;
    side.bell.generation = envelope.generation;
    side.bell.lane = Lane::normal;
    side.bell.flags = 0;
    pushed = push(cell, side.bell);
  });
  if (ring && pushed == Push::scheduled) worker.schedule(cell);
  return listed;
}

Envelope* unlist(Cell& cell) noexcept {
  Side& side = *cell.side.load(order::relaxed);
  Envelope* envelope = nullptr;
  side.lock.lock();
  if (side.list.empty()) {
    side.rung = false;
  } else {
    envelope = side.list.pop();
    --side.count;
  }
  side.lock.unlock();
  return envelope;
}

EnvelopeList close_list(Cell& cell) noexcept {
  EnvelopeList rest;
  Side* side = cell.side.load(order::relaxed);
  if (side == nullptr) return rest;
  side->lock.lock();
  rest = side->list;
  side->list = {};
  side->count = 0;
  side->rung = false;
  side->closed = true;
  side->lock.unlock();
  return rest;
}

}  // namespace troupe::mailbox
