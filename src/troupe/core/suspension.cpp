#include <troupe/core/suspension.hpp>

#include <troupe/core/kernel.hpp>
#include <troupe/core/life.hpp>
#include <troupe/core/side.hpp>

namespace troupe::suspensions {

namespace {

void begin(Worker& worker, Cell& cell) noexcept {
  cell.block(Cell::suspended);
  const Type& type = *cell.type.load(order::relaxed);
  type.counters[worker.index].suspensions.add();
  if (Side* side = life::side_of(worker, cell)) {
    side->suspended_since.store(worker.now, order::relaxed);
    side->suspensions.add();
  }
  worker.kernel->publish({.kind = EventKind::suspended,
                          .actor = {&cell, cell.generation.load(order::relaxed)},
                          .actor_type = type.actor_class->name});
}

// How long it was. Without memory for a side nobody knows.
Duration end(Worker& worker, Cell& cell) noexcept {
  cell.unblock(Cell::suspended);
  Side* side = cell.side.load(order::relaxed);
  const Instant since = side == nullptr ? end_of_time : side->suspended_since.exchange(end_of_time, order::relaxed);
  const Instant length = worker.now < since ? 0 : worker.now - since;
  if (length > 0) {
    side->suspended_ns.add(length);
    cell.type.load(order::relaxed)->counters[worker.index].suspended_ns.add(length);
  }
  return Duration(static_cast<Duration::rep>(length));
}

}  // namespace

void follow(Worker& worker, Cell& cell, bool wanted) noexcept {
  const bool suspended = (cell.blocked & Cell::suspended) != 0;
  if (wanted && !suspended) begin(worker, cell);
  if (wanted || !suspended) return;
  const Duration length = end(worker, cell);
  worker.kernel->publish({.kind = EventKind::unsuspended,
                          .actor = {&cell, cell.generation.load(order::relaxed)},
                          .actor_type = cell.type.load(order::relaxed)->actor_class->name,
                          .duration = length});
}

void close(Worker& worker, Cell& cell) noexcept {
  if ((cell.blocked & Cell::suspended) != 0) (void)end(worker, cell);
}

}  // namespace troupe::suspensions
