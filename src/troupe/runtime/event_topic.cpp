#include <troupe/runtime/event_topic.hpp>

#include <troupe/core/mailbox.hpp>
#include <troupe/core/worker.hpp>

namespace troupe::detail {

namespace {

constinit thread_local bool telling = false;

class Delivering {
 public:
  Delivering() noexcept { telling = true; }
  Delivering(const Delivering&) = delete;
  Delivering& operator=(const Delivering&) = delete;
  ~Delivering() { telling = false; }
};

// Counts the message just accepted.
bool at_most_half_full(const Cell& cell) noexcept {
  const std::uint32_t limit = cell.limit[0].load(order::relaxed);
  return mailbox::queued(cell, cell.word.load(order::acquire), order::relaxed) <= limit / 2 + limit % 2;
}

}  // namespace

bool delivering() noexcept { return telling; }

void Topic::add(CellRef actor, Deliver deliver, EventFilter filter) {
  std::list<Listener> added;  // made before the lock; the index may fail, the splice cannot
  added.push_back({.actor = actor, .deliver = deliver, .filter = filter});
  const std::scoped_lock lock(mutex_);
  const auto [found, fresh] = index_.try_emplace(AnyRef(actor), added.begin());
  if (fresh) {
    listeners_.splice(listeners_.end(), added);
    size_.store(static_cast<std::uint32_t>(listeners_.size()), order::relaxed);
  }
  count(fresh ? EventFilter() : found->second->filter, filter);
  found->second->filter = filter;
}

bool Topic::remove(const AnyRef& actor) noexcept {
  const std::scoped_lock lock(mutex_);
  const auto found = index_.find(actor);
  if (found == index_.end()) return false;
  remove(found->second);
  return true;
}

void Topic::remove(Place place) noexcept {
  count(place->filter, {});
  index_.erase(AnyRef(place->actor));
  listeners_.erase(place);
  size_.store(static_cast<std::uint32_t>(listeners_.size()), order::relaxed);
}

void Topic::count(EventFilter gone, EventFilter come) noexcept {
  if (outlets_ == nullptr) return;
  std::uint32_t kinds = 0;
  for (unsigned kind = 0; kind < event_kinds; ++kind) {
    wanted_[kind] += come.bits() >> kind & 1;
    wanted_[kind] -= gone.bits() >> kind & 1;
    kinds |= (wanted_[kind] > 0 ? 1u : 0u) << kind;
  }
  kinds_.store(kinds, order::relaxed);
  outlets_->actors_want(kinds);
}

void Topic::settle(Listener& listener, Fate fate, Hints* hints) noexcept {
  if (fate == Fate::accepted) {
    if (listener.behind && at_most_half_full(*listener.actor.cell)) listener.behind = false;
    return;
  }
  ++listener.lost;
  if (hints == nullptr || listener.behind || (fate != Fate::full && fate != Fate::dropped)) return;
  listener.behind = hints->add({.kind = EventKind::back_pressure,
                                .actor = listener.actor,
                                .actor_type = listener.deliver(Op::actor_name, nullptr, nullptr, *current_worker),
                                .message = listener.deliver(Op::message_name, nullptr, nullptr, *current_worker)});
}

Round Topic::tell_all(const void* message, Tell tell, const Event* event, Hints* hints) {
  Round round;
  const std::scoped_lock lock(mutex_);
  const Delivering here;
  for (Place place = listeners_.begin(); place != listeners_.end();) {
    const Place listener = place++;
    if (event != nullptr && !listener->hears(*event)) continue;
    const Fate fate = tell(listener->actor, listener->deliver, message).fate();
    if (fate == Fate::stopped || fate == Fate::not_found) {
      ++round.ended;
      remove(listener);
      continue;
    }
    ++(fate == Fate::accepted ? round.accepted : round.lost);
    settle(*listener, fate, hints);
  }
  return round;
}

}  // namespace troupe::detail
