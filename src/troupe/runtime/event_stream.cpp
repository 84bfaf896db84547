#include <troupe/runtime/event_stream.hpp>

#include <troupe/core/worker.hpp>
#include <troupe/runtime/event_outlets.hpp>
#include <troupe/runtime/event_topic.hpp>

namespace troupe {

namespace {

// An event comes from the system, not from the actor that happens to run here. `nobody` is shared by threads,
// and never runs anything: it must not even be written to.
class FromNobody {
 public:
  FromNobody() noexcept : running_(current_worker->running) {
    if (running_ != nullptr) current_worker->running = nullptr;
  }
  FromNobody(const FromNobody&) = delete;
  FromNobody& operator=(const FromNobody&) = delete;
  ~FromNobody() {
    if (running_ != nullptr) current_worker->running = running_;
  }

 private:
  Cell* running_;
};

Receipt tell_event(CellRef actor, Deliver deliver, const void* record) noexcept {
  try {
    return record == nullptr ? Receipt(Fate::exhausted) : detail::tell_copy<EventRecord>(actor, deliver, record);
  } catch (...) {
    return Fate::exhausted;  // of copying the words
  }
}

}  // namespace

EventStream::EventStream(Clock& clock, AddressOf address_of)
    : clock_(&clock),
      address_of_(std::move(address_of)),
      outlets_(std::make_shared<detail::Outlets>(interest_)),
      events_(new detail::Topic(&detail::topic_key<EventRecord>, nullptr, outlets_.get())) {
  topics_.store(events_, order::release);
}

EventStream::~EventStream() {
  outlets_->end();
  for (detail::Topic* topic = topics_.load(order::acquire); topic != nullptr;) {
    delete std::exchange(topic, topic->next);
  }
}

Subscription EventStream::subscribe(EventFilter filter, std::size_t capacity) {
  return Subscription(outlets_, filter, capacity);
}

std::uint64_t EventStream::lost(const AnyRef& actor) const { return events_->lost(actor); }

void EventStream::forget(CellRef actor) noexcept {
  for (detail::Topic* topic = topics_.load(order::acquire); topic != nullptr; topic = topic->next) {
    // An actor's own subscription is in the size it reads here, and it ends in its own turn.
    if (topic->size() > 0) topic->remove(AnyRef(actor));
  }
}

EventFigures EventStream::figures() const {
  std::uint64_t subscribers = outlets_->size();
  for (const detail::Topic* topic = topics_.load(order::acquire); topic != nullptr; topic = topic->next) {
    subscribers += topic->size();
  }
  return {.published = published_.load(order::relaxed),
          .delivered = delivered_.load(order::relaxed),
          .lost = lost_.load(order::relaxed),
          .subscribers = subscribers};
}

detail::Topic* EventStream::find(const void* key) const noexcept {
  detail::Topic* topic = topics_.load(order::acquire);
  while (topic != nullptr && topic->key != key) topic = topic->next;
  return topic;
}

detail::Topic& EventStream::open(const void* key) {
  const std::scoped_lock lock(opening_);
  if (detail::Topic* topic = find(key)) return *topic;
  auto* topic = new detail::Topic(key, topics_.load(order::relaxed), nullptr);
  topics_.store(topic, order::release);
  return *topic;
}

bool EventStream::join(const void* key, CellRef actor, Deliver deliver, EventFilter filter) {
  if (!AnyRef(actor).names_somebody()) return false;
  open(key).add(actor, deliver, filter);
  return true;
}

bool EventStream::leave(const void* key, const AnyRef& actor) noexcept {
  detail::Topic* topic = find(key);
  return topic != nullptr && topic->remove(actor);
}

void EventStream::count(std::uint64_t delivered, std::uint64_t lost) noexcept {
  if (delivered > 0) delivered_.fetch_add(delivered, order::relaxed);
  if (lost > 0) lost_.fetch_add(lost, order::relaxed);
}

DeliveryReport EventStream::tell_all(const void* key, const void* message, detail::Tell tell) {
  published_.fetch_add(1, order::relaxed);
  detail::Topic* topic = find(key);
  if (topic == nullptr) return {};
  detail::Round round;
  if (detail::delivering()) {
    round.lost = topic->size();  // a message whose copy constructor publishes
  } else {
    detail::Hints hints;
    round = topic->tell_all(message, tell, nullptr, &hints);
    raise(hints);
  }
  count(round.accepted, round.lost);
  return {.accepted = round.accepted, .refused = round.lost + round.ended};
}

void EventStream::publish(const Event& event) noexcept {
  detail::Hints hints;
  deliver(event, event.kind == EventKind::back_pressure ? nullptr : &hints);
  raise(hints);
}

void EventStream::raise(const detail::Hints& hints) noexcept {
  for (unsigned i = 0; i < hints.count; ++i) deliver(hints.events[i], nullptr);
}

void EventStream::deliver(const Event& event, detail::Hints* hints) noexcept {
  if (!wants(event.kind)) return;
  published_.fetch_add(1, order::relaxed);
  const detail::SharedRecord made = record(event);
  // Outside first: what telling actors leads to comes after its cause.
  const detail::Round round = outlets_->push(event.kind, made, hints);
  count(round.accepted, round.lost);
  if (events_->wants(event.kind)) tell_actors(event, made.get(), hints);
}

void EventStream::tell_actors(const Event& event, const EventRecord* record, detail::Hints* hints) noexcept {
  detail::Round round;
  if (detail::delivering()) {
    round.lost = 1;
  } else {
    const FromNobody sender;
    round = events_->tell_all(record, tell_event, &event, hints);
  }
  count(round.accepted, round.lost);
}

// Null: there was no memory for the words, and the event is lost for everybody.
std::shared_ptr<const EventRecord> EventStream::record(const Event& event) noexcept {
  try {
    return std::make_shared<const EventRecord>(record_of(event, clock_->now(), address_of_));
  } catch (...) {
    return nullptr;
  }
}

}  // namespace troupe
