// EventStream: who hears what the system tells about itself, and what actors say to whoever wants to know.
//
//   Subscription failures = stream.subscribe(kinds(EventKind::failed));  // any thread: failures.wait(1s)
//   stream.subscribe(monitor, all_events());       // an actor that has on(const EventRecord&)
//   stream.subscribe_to<PriceChanged>(display);    // an actor, and one type of message
//   stream.publish(PriceChanged{"tea", 3});        // a copy to each of its subscribers
//
// Nobody waits for a subscriber. One that is slow loses the newest events; they are counted for it, and a
// back_pressure event says so, once until it has caught up by half. A lost back_pressure event is counted and
// hints at nothing, so hints cannot breed hints. Actors hear in the order in which they subscribed.
//
// No late and no ghost event. Each topic has one mutex (the events are a topic too), and a publisher holds it
// from finding an actor until having told it. Unsubscribing takes the same mutex, so once it has returned
// nobody is between the two. The rings of the outside subscriptions share another mutex, with the same
// argument. What lies in a mailbox by then is the actor's own.
//
// Telling an actor can itself raise an event: the mailbox is full, or grows. Such an event goes to the
// outside subscriptions only; for actors it counts as lost, once. So nothing recurses, a thread holds the
// mutex of at most one topic, of whatever stream, and the outside mutex comes after it: there is no cycle of
// locks. For the same reason an actor is not told events about itself: one that fails on an event would be
// told so, and fail again.
//
// Topics are kept in a list that only grows. A topic is complete before the release store that makes it the
// head; whoever walks the list acquires the head. The masks of kinds are hints that are stored under the
// mutexes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include <troupe/core/any_ref.hpp>
#include <troupe/core/children.hpp>
#include <troupe/core/clock.hpp>
#include <troupe/core/event.hpp>
#include <troupe/core/ref.hpp>
#include <troupe/runtime/event_filter.hpp>
#include <troupe/runtime/event_record.hpp>
#include <troupe/runtime/subscription.hpp>

namespace troupe {

namespace detail {

class Outlets;
class Topic;
struct Hints;

// Its address stands for the message type. Not const, or a linker that folds equal constants would fold the
// types.
template <class M>
inline constinit char topic_key = 0;

using Tell = Receipt (*)(CellRef actor, Deliver deliver, const void* message);

// Copies first: an exception then finds no envelope half built.
template <class M>
Receipt tell_copy(CellRef actor, Deliver deliver, const void* message) {
  M copy = *static_cast<const M*>(message);
  return tell<M>(actor, deliver, Lane::normal, nullptr, std::move(copy));
}

}  // namespace detail

struct EventFigures {
  std::uint64_t published = 0;    // events that somebody wanted, and messages to topics
  std::uint64_t delivered = 0;    // copies that reached a subscription or a mailbox
  std::uint64_t lost = 0;         // copies that did not, because their subscriber had no room
  std::uint64_t subscribers = 0;  // now; an actor counts once for each of its topics
};

class EventStream final : public EventSink {
 public:
  explicit EventStream(Clock& clock, AddressOf address_of = {});
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;
  ~EventStream();

  // From now until the Subscription ends. Of a capacity of zero one event is kept.
  [[nodiscard]] Subscription subscribe(EventFilter filter, std::size_t capacity = 1024);

  // Tells the actor each event that passes the filter; again: with a new filter. False: the reference names
  // nobody.
  template <class A>
  bool subscribe(const Ref<A>& actor, EventFilter filter) {
    return listen<EventRecord>(actor, filter);
  }
  bool unsubscribe(const AnyRef& actor) noexcept { return leave(&detail::topic_key<EventRecord>, actor); }
  // How many events the actor has missed since it subscribed.
  [[nodiscard]] std::uint64_t lost(const AnyRef& actor) const;

  // Topics: the actor gets a copy of each M that is published.
  template <class M, class A>
  bool subscribe_to(const Ref<A>& actor) {
    check_topic<M>();
    return listen<M>(actor, {});
  }
  template <class M>
  bool unsubscribe_from(const AnyRef& actor) noexcept {
    return leave(&detail::topic_key<M>, actor);
  }
  template <class M>
  DeliveryReport publish(const M& message) {
    check_topic<M>();
    return tell_all(&detail::topic_key<M>, &message, detail::tell_copy<M>);
  }

  // The actor's instance has ended: everything it subscribed to ends. An empty topic costs one load.
  void forget(CellRef actor) noexcept;

  void publish(const Event& event) noexcept override;

  [[nodiscard]] EventFigures figures() const;

 private:
  template <class M>
  static void check_topic() {
    static_assert(std::is_copy_constructible_v<M>, "a topic's message is copied to each subscriber");
    static_assert(!std::is_same_v<M, EventRecord>, "events are subscribed to with a filter: subscribe(actor, filter)");
  }
  template <class M, class A>
  bool listen(const Ref<A>& actor, EventFilter filter) {
    if constexpr (!Handles<A, M>) {
      (void)sizeof(ActorDoesNotHandle<A, M>);
      return false;
    } else {
      return join(&detail::topic_key<M>, actor.cell(), detail::deliver<A, M>, filter);
    }
  }

  bool join(const void* key, CellRef actor, Deliver deliver, EventFilter filter);
  bool leave(const void* key, const AnyRef& actor) noexcept;
  DeliveryReport tell_all(const void* key, const void* message, detail::Tell tell);
  void deliver(const Event& event, detail::Hints* hints) noexcept;
  void tell_actors(const Event& event, const EventRecord* record, detail::Hints* hints) noexcept;
  [[nodiscard]] std::shared_ptr<const EventRecord> record(const Event& event) noexcept;
  void raise(const detail::Hints& hints) noexcept;
  [[nodiscard]] detail::Topic* find(const void* key) const noexcept;
  [[nodiscard]] detail::Topic& open(const void* key);
  void count(std::uint64_t delivered, std::uint64_t lost) noexcept;

  Clock* clock_;
  AddressOf address_of_;
  std::shared_ptr<detail::Outlets> outlets_;
  std::mutex opening_;
  Atomic<detail::Topic*> topics_{nullptr};
  detail::Topic* events_;
  Atomic<std::uint64_t> published_{0};
  Atomic<std::uint64_t> delivered_{0};
  Atomic<std::uint64_t> lost_{0};
};

}  // namespace troupe
