#include <troupe/runtime/tally.hpp>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include <troupe/core/mailbox.hpp>
#include <troupe/core/side.hpp>
#include <troupe/runtime/depot.hpp>

namespace troupe::tally {

namespace {

Duration nanoseconds(std::uint64_t count) noexcept { return Duration(static_cast<Duration::rep>(count)); }

// Which row of the figures a dispatcher has. A world serves them all by one worker.
using Rows = std::unordered_map<std::uint8_t, std::size_t>;

Rows count_workers(Figures& figures, SystemExecutor& executor) {
  Rows rows;
  executor.each_worker([&](Worker& worker, const DispatcherOptions& options) {
    const auto [row, fresh] = rows.try_emplace(worker.dispatcher, figures.dispatchers.size());
    if (fresh) figures.dispatchers.push_back({.name = options.name});
    DispatcherFigures& one = figures.dispatchers[row->second];
    const Counters& counters = worker.counters;
    ++one.threads;
    one.runs += counters.runs.value();
    one.full_runs += counters.full_runs.value();
    one.longest_run = std::max(one.longest_run, counters.longest_run.value());
    one.processed += counters.handled.value();
    one.parks += counters.parks.value();
    one.shared += counters.shared.value() + counters.relieved.value();
    one.waited += stamped_time(counters.waited.value());
    one.longest_wait = std::max(one.longest_wait, stamped_time(counters.longest_wait.value()));
  });
  return rows;
}

TypeFigures count_type(Figures& figures, const Rows& rows, const Type& type, SystemExecutor& executor) {
  TypeFigures one{.type = type.actor_class->name,
                  .rejected = type.refusals->rejected.load(order::relaxed),
                  .dropped = type.refusals->dropped.load(order::relaxed)};
  executor.each_worker([&](Worker& worker, const DispatcherOptions&) {
    const TypeCounters& counters = type.counters[worker.index];
    DispatcherFigures& there = figures.dispatchers[rows.at(worker.dispatcher)];
    const Duration in_handlers = nanoseconds(counters.handler_ns.value());
    one.processed += counters.processed.value();
    one.failed += counters.failed.value();
    one.restarts += counters.restarts.value();
    one.dead += counters.dead.value();
    one.suspensions += counters.suspensions.value();
    one.suspended += nanoseconds(counters.suspended_ns.value());
    one.reserve_used = std::max(one.reserve_used, counters.reserve_peak.value());
    one.in_handlers += in_handlers;
    there.failed += counters.failed.value();
    there.restarts += counters.restarts.value();
    there.in_handlers += in_handlers;
  });
  return one;
}

// Runs `read` under the side's lock if the side still belongs to this life of the cell.
template <class Read>
void with_side(Cell& cell, Generation generation, Read read) noexcept {
  Side* side = cell.side.load(order::acquire);
  if (side == nullptr) return;
  side->lock.lock();
  if (side->cell == &cell && side->generation == generation) read(*side);
  side->lock.unlock();
}

std::uint64_t queued_in(Cell& cell, Generation generation, mailbox::Word word) noexcept {
  std::uint64_t queued = mailbox::queued(cell, word, order::relaxed);
  with_side(cell, generation, [&](const Side& side) { queued += side.count; });
  return queued;
}

void count_share(DispatcherFigures& there, Cell& cell, Generation generation) noexcept {
  with_side(cell, generation, [&](const Side& side) {
    if (!side.measured.load(order::relaxed)) return;
    const std::uint64_t share = side.processed.value();
    there.smallest_share = there.measured == 0 ? share : std::min(there.smallest_share, share);
    there.largest_share = std::max(there.largest_share, share);
    ++there.measured;
  });
}

}  // namespace

void add_up(Figures& figures, const Kernel& kernel, SystemExecutor& executor) {
  const Rows rows = count_workers(figures, executor);
  const Instant now = executor.clock().now();
  const Type* guardians = kernel.guardian().type.load(order::relaxed);
  std::unordered_map<const Type*, std::size_t> types;
  for (const Type* type = kernel.first_type(); type != nullptr; type = type->next) {
    if (type == guardians) continue;  // it is none of the user's
    types.emplace(type, figures.types.size());
    figures.types.push_back(count_type(figures, rows, *type, executor));
  }
  Depot::shared().each_cell([&](Cell& cell) {
    const Generation generation = cell.generation.load(order::relaxed);
    if (system_of(generation) != kernel.number()) return;
    const auto type = types.find(cell.type.load(order::relaxed));
    const mailbox::Word word = cell.word.load(order::relaxed);
    if (type == types.end() || (word & mailbox::closed) != 0) return;
    const auto row = rows.find(cell.dispatcher.load(order::relaxed));
    DispatcherFigures& there = figures.dispatchers[row == rows.end() ? 0 : row->second];
    TypeFigures& one = figures.types[type->second];
    const std::uint64_t queued = queued_in(cell, generation, word);
    const Duration waits = queued == 0 ? Duration{} : stamped_time(since(cell.stamp.load(order::relaxed), now));
    ++one.actors;
    one.queued += queued;
    one.oldest = std::max(one.oldest, waits);
    there.queued += queued;
    there.oldest = std::max(there.oldest, waits);
    if ((word & mailbox::idle) == 0) ++there.ready;
    count_share(there, cell, generation);
  });
  for (TypeFigures& one : figures.types) {
    one.offered = one.processed + one.dead + one.rejected + one.dropped + one.queued;
  }
}

ActorFigures of_actor(CellRef actor, Instant now) noexcept {
  ActorFigures figures;
  Cell& cell = *actor.cell;
  figures.queued = queued_in(cell, actor.generation, cell.word.load(order::relaxed));
  if (figures.queued > 0) figures.oldest = stamped_time(since(cell.stamp.load(order::relaxed), now));
  with_side(cell, actor.generation, [&](const Side& side) {
    figures.processed = side.processed.value();
    figures.runs = side.runs.value();
    figures.waited = stamped_time(side.waited.value());
    figures.suspensions = side.suspensions.value();
    const Instant began = side.suspended_since.load(order::relaxed);
    figures.suspended = nanoseconds(side.suspended_ns.value() + (began < now ? now - began : 0));
  });
  return figures;
}

}  // namespace troupe::tally
