#include <troupe/core/watch.hpp>

#include <new>

#include <troupe/core/kernel.hpp>
#include <troupe/core/life.hpp>
#include <troupe/core/mailbox.hpp>
#include <troupe/core/side.hpp>

namespace troupe {

Watch& Watch::of_unwatch(Envelope& envelope) noexcept {
  return *reinterpret_cast<Watch*>(reinterpret_cast<std::byte*>(&envelope) - offsetof(Watch, unwatch));
}

namespace watches {

namespace {

void free(Worker& worker, Watch& watch) noexcept {
  const SizeClass size_class = watch.notice.size_class;
  if (watch.spare != nullptr) worker.free_stable(watch.spare, side_class);
  watch.~Watch();
  worker.free(&watch, size_class);
}

// At the target: it waits in the list of watchers. In the last chain too, where an unwatch may follow it: those who
// are still in the list afterwards are told.
const char* request(Op op, Envelope* envelope, Cell* cell, Worker& worker) {
  if (op != Op::deliver && op != Op::drop) return "Watch";
  Watch& watch = Watch::of_notice(*envelope);
  Side* side = cell->side.load(order::relaxed);
  void* spare = std::exchange(watch.spare, nullptr);
  if (side == nullptr) {
    side = &life::open_side(*cell, spare);
  } else if (spare != nullptr) {
    worker.free_stable(spare, side_class);
  }
  watch.previous_watcher = nullptr;
  watch.next_watcher = side->watchers;
  if (watch.next_watcher != nullptr) watch.next_watcher->previous_watcher = &watch;
  side->watchers = &watch;
  return "Watch";
}

// At the target: the watcher no longer wants to know. Whatever the target's state, the block ends here.
const char* unwatching(Op op, Envelope* envelope, Cell* cell, Worker& worker) {
  if (op != Op::deliver && op != Op::drop) return "Unwatch";
  Watch& watch = Watch::of_unwatch(*envelope);
  Side& side = *cell->side.load(order::relaxed);
  (watch.previous_watcher != nullptr ? watch.previous_watcher->next_watcher : side.watchers) = watch.next_watcher;
  if (watch.next_watcher != nullptr) watch.next_watcher->previous_watcher = watch.previous_watcher;
  free(worker, watch);
  return "Unwatch";
}

void unlink_watch(Side& side, Watch& watch) noexcept {
  (watch.previous_watch != nullptr ? watch.previous_watch->next_watch : side.watches) = watch.next_watch;
  if (watch.next_watch != nullptr) watch.next_watch->previous_watch = watch.previous_watch;
}

// Back at the watcher: a turn of its own, unless it has forgotten.
const char* returning(Op op, Envelope* envelope, Cell* cell, Worker& worker) {
  Watch& watch = Watch::of_notice(*envelope);
  if (op != Op::deliver && op != Op::drop) return "Terminated";
  const bool wanted = op == Op::deliver && !watch.forgotten;
  Side* side = wanted ? cell->side.load(order::relaxed) : nullptr;
  if (wanted) unlink_watch(*side, watch);
  const Deliver terminated = wanted ? cell->type.load(order::relaxed)->actor_class->terminated : nullptr;
  if (terminated == nullptr) {
    free(worker, watch);
    return "Terminated";
  }
  if (void* spare = std::exchange(watch.spare, nullptr)) worker.free_stable(spare, side_class);
  watch.notice.deliver = terminated;
  watch.notice.flags = Envelope::notice;
  side->notices.append(&watch.notice);
  cell->need(Cell::has_notices);
  return "Terminated";
}

// The block goes home as the notice.
void send_back(Worker& worker, Watch& watch) noexcept {
  Cell& watcher = *watch.notice.sender;
  watch.notice.generation = watch.notice.sender_generation;
  watch.notice.deliver = returning;
  const auto pushed = mailbox::push(watcher, watch.notice);
  if (pushed == mailbox::Push::refused) {
    free(worker, watch);
  } else if (pushed == mailbox::Push::scheduled) {
    // A system that is cut off reaches no other, but this watcher is owned by now, and somebody must run it.
    Worker* near = worker_for(watch.notice.sender_generation, Host::Errand::control);
    if (near != nullptr) {
      near->schedule(watcher);
    } else {
      watcher.type.load(order::relaxed)->kernel->executor().wake(worker, watcher);
    }
  }
}

// The watcher has unlinked it: the block comes back from the target, or ends there.
void send_after(Worker&, Watch& watch) noexcept {
  watch.forgotten = true;
  watch.unwatch = Envelope{};
  watch.unwatch.deliver = unwatching;
  watch.unwatch.generation = watch.target.generation;
  watch.unwatch.lane = Lane::system;
  Cell& target = *watch.target.cell;
  Worker* near = worker_for(watch.target.generation, Host::Errand::control);
  if (near != nullptr && mailbox::push(target, watch.unwatch) == mailbox::Push::scheduled) near->schedule(target);
}

Watch* find(const Side* side, CellRef target) noexcept {
  Watch* watch = side == nullptr ? nullptr : side->watches;
  while (watch != nullptr && watch->target != target) watch = watch->next_watch;
  return watch;
}

// Its notice has come and waits for a turn.
bool is_noticed(const Cell& watcher, const Side& side, CellRef target) noexcept {
  const Deliver terminated = watcher.type.load(order::relaxed)->actor_class->terminated;
  for (Envelope* notice = side.notices.first; notice != nullptr; notice = notice->next) {
    if (notice->deliver == terminated && Watch::of_notice(*notice).target == target) return true;
  }
  return false;
}

}  // namespace

bool watch(Worker& worker, Cell& watcher, CellRef target) noexcept {
  Side* side = life::side_of(worker, watcher);
  if (side == nullptr) return false;
  if (find(side, target) != nullptr || is_noticed(watcher, *side, target)) return true;  // the first one counts
  // Whoever watches brings the memory, so that nothing can go wrong at the target, where nobody would hear of it.
  constexpr SizeClass size_class = size_class_of(sizeof(Watch));
  const bool bare = target.cell->side.load(order::relaxed) == nullptr;
  void* spare = bare ? worker.allocate_stable(side_class) : nullptr;
  void* memory = bare && spare == nullptr ? nullptr : worker.allocate(size_class);
  if (memory == nullptr) {
    if (spare != nullptr) worker.free_stable(spare, side_class);
    return false;
  }
  auto* watch = new (memory) Watch{};
  watch->spare = spare;
  watch->notice.deliver = request;
  watch->notice.generation = target.generation;
  watch->notice.sender = &watcher;
  watch->notice.sender_generation = watcher.generation.load(order::relaxed);
  watch->notice.lane = Lane::system;
  watch->notice.size_class = size_class;
  watch->target = target;
  watch->message.who = AnyRef(target);
  watch->message.reason = StopReason::requested;
  watch->next_watch = side->watches;
  if (watch->next_watch != nullptr) watch->next_watch->previous_watch = watch;
  side->watches = watch;
  Worker* near = worker_for(target.generation, Host::Errand::control);
  const auto pushed = near == nullptr ? mailbox::Push::refused : mailbox::push(*target.cell, watch->notice);
  if (pushed == mailbox::Push::refused) send_back(worker, *watch);  // it has ended: the watch answers itself
  if (pushed == mailbox::Push::scheduled) near->schedule(*target.cell);
  return true;
}

void unwatch(Worker& worker, Cell& watcher, CellRef target) noexcept {
  Side* side = watcher.side.load(order::relaxed);
  if (side == nullptr) return;
  if (Watch* watch = find(side, target)) {
    unlink_watch(*side, *watch);
    send_after(worker, *watch);
    return;
  }
  // The notice may have come already and wait for its turn.
  EnvelopeList kept;
  while (!side->notices.empty()) {
    Envelope* notice = side->notices.pop();
    const Deliver terminated = watcher.type.load(order::relaxed)->actor_class->terminated;
    if (notice->deliver == terminated && Watch::of_notice(*notice).target == target) {
      free(worker, Watch::of_notice(*notice));
    } else {
      kept.append(notice);
    }
  }
  side->notices = kept;
  if (kept.empty()) watcher.done(Cell::has_notices);
}

void forget_all(Worker& worker, Cell& watcher) noexcept {
  Side* side = watcher.side.load(order::relaxed);
  if (side == nullptr) return;
  while (Watch* watch = side->watches) {
    unlink_watch(*side, *watch);
    send_after(worker, *watch);
  }
  while (!side->notices.empty()) {
    Envelope* notice = side->notices.pop();
    notice->deliver(Op::drop, notice, &watcher, worker);
  }
  watcher.done(Cell::has_notices);
}

void tell_all(Worker& worker, Watch* first, CellRef target, StopReason reason, bool forced,
              const std::optional<Error>& error) noexcept {
  while (first != nullptr) {
    Watch& watch = *first;
    first = watch.next_watcher;
    watch.message = {.who = AnyRef(target), .reason = reason, .forced = forced, .error = error};
    send_back(worker, watch);
  }
}

void discard_all(Worker& worker, Watch* first, Cell& target) noexcept {
  const std::uint16_t system = system_of(target.generation.load(order::relaxed));
  while (first != nullptr) {
    Watch& watch = *first;
    first = watch.next_watcher;
    if (system_of(watch.notice.sender_generation) == system) {
      free(worker, watch);
    } else {
      send_back(worker, watch);
    }
  }
}

}  // namespace watches
}  // namespace troupe
