// Topic: the actors that want one type of message, in the order in which they came.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <mutex>
#include <unordered_map>

#include <troupe/core/any_ref.hpp>
#include <troupe/core/receipt.hpp>
#include <troupe/runtime/event_outlets.hpp>

namespace troupe::detail {

using Tell = Receipt (*)(CellRef actor, Deliver deliver, const void* message);

// This thread is telling the actors of some topic something.
[[nodiscard]] bool delivering() noexcept;

class Topic {
 public:
  // `outlets`, for the topic of events alone, hears which kinds its actors want.
  Topic(const void* key_in, Topic* next_in, Outlets* outlets) noexcept
      : key(key_in), next(next_in), outlets_(outlets) {}

  const void* const key;
  Topic* const next;

  void add(CellRef actor, Deliver deliver, EventFilter filter);
  bool remove(const AnyRef& actor) noexcept;
  // About an event: only to those whose filter it passes. A subscriber that has ended is removed.
  Round tell_all(const void* message, Tell tell, const Event* event, Hints* hints);

  [[nodiscard]] std::uint64_t lost(const AnyRef& actor) const {
    const std::scoped_lock lock(mutex_);
    const auto found = index_.find(actor);
    return found == index_.end() ? 0 : found->second->lost;
  }
  [[nodiscard]] bool wants(EventKind kind) const noexcept {
    return EventFilter(kinds_.load(order::relaxed)).contains(kind);
  }
  [[nodiscard]] std::uint32_t size() const noexcept { return size_.load(order::relaxed); }

 private:
  struct Listener {
    CellRef actor;
    Deliver deliver;
    EventFilter filter;
    std::uint64_t lost = 0;
    bool behind = false;

    [[nodiscard]] bool hears(const Event& event) const noexcept {
      return filter.contains(event.kind) && actor != event.actor;
    }
  };
  using Place = std::list<Listener>::iterator;

  void remove(Place place) noexcept;
  void count(EventFilter gone, EventFilter come) noexcept;
  static void settle(Listener& listener, Fate fate, Hints* hints) noexcept;

  mutable std::mutex mutex_;
  std::list<Listener> listeners_;
  std::unordered_map<AnyRef, Place> index_;
  std::array<std::uint32_t, event_kinds> wanted_{};  // by how many actors
  Atomic<std::uint32_t> kinds_{0};
  Atomic<std::uint32_t> size_{0};
  Outlets* outlets_;
};

}  // namespace troupe::detail
