// Outlets: where events leave the system, one ring for each outside subscription.
#pragma once

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <troupe/core/atomic.hpp>
#include <troupe/core/clock.hpp>
#include <troupe/core/event.hpp>
#include <troupe/runtime/event_filter.hpp>
#include <troupe/runtime/event_record.hpp>

namespace troupe::detail {

using SharedRecord = std::shared_ptr<const EventRecord>;

// Who fell behind while one event was delivered. Whoever finds no room here hints at its next loss.
struct Hints {
  std::array<Event, 4> events{};
  unsigned count = 0;

  [[nodiscard]] bool add(const Event& event) noexcept {
    if (count == events.size()) return false;
    events[count++] = event;
    return true;
  }
};

// What became of one message, subscriber by subscriber.
struct Round {
  std::uint32_t accepted = 0;
  std::uint32_t lost = 0;
  std::uint32_t ended = 0;
};

// The ring of one outside subscription; everything in it is under the mutex of its Outlets.
class Outlet {
 public:
  Outlet(EventFilter filter_in, std::size_t capacity) : filter(filter_in), ring_(std::max<std::size_t>(capacity, 1)) {}

  [[nodiscard]] bool full() const noexcept { return size_ == ring_.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return ring_.size(); }
  void push(SharedRecord record) noexcept {
    ring_[(first_ + size_++) % ring_.size()] = std::move(record);
    arrived.notify_one();
  }
  [[nodiscard]] SharedRecord pop() noexcept {
    if (size_ == 0) return nullptr;
    SharedRecord record = std::move(ring_[first_]);
    first_ = (first_ + 1) % ring_.size();
    if (--size_ <= ring_.size() / 2) behind = false;
    return record;
  }

  const EventFilter filter;
  std::condition_variable arrived;
  std::uint64_t lost = 0;
  bool behind = false;

 private:
  std::vector<SharedRecord> ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

// The outside subscriptions of one stream, and which events anybody wants. The subscriptions share it with
// the stream, because they may outlive it.
class Outlets {
 public:
  explicit Outlets(Atomic<std::uint32_t>& interest) noexcept : interest_(&interest) {}

  void open(Outlet& outlet) {
    const std::scoped_lock lock(mutex_);
    open_.push_back(&outlet);
    refresh();
  }
  void close(Outlet& outlet) noexcept {
    const std::scoped_lock lock(mutex_);
    std::erase(open_, &outlet);
    refresh();
  }
  void end() noexcept {
    const std::scoped_lock lock(mutex_);
    interest_ = nullptr;
    for (Outlet* outlet : open_) outlet->arrived.notify_all();
  }
  void actors_want(std::uint32_t kinds) noexcept {
    const std::scoped_lock lock(mutex_);
    actor_kinds_ = kinds;
    refresh();
  }

  Round push(EventKind kind, const SharedRecord& record, Hints* hints) noexcept;
  [[nodiscard]] SharedRecord pop(Outlet& outlet, Duration within);

  template <class Read>
  [[nodiscard]] auto read(Read look) const {
    const std::scoped_lock lock(mutex_);
    return look();
  }
  [[nodiscard]] std::size_t size() const {
    return read([this] { return open_.size(); });
  }

 private:
  void refresh() noexcept {
    if (interest_ == nullptr) return;
    std::uint32_t kinds = actor_kinds_;
    for (const Outlet* outlet : open_) kinds |= outlet->filter.bits();
    interest_->store(kinds, order::relaxed);
  }

  mutable std::mutex mutex_;
  std::vector<Outlet*> open_;
  std::uint32_t actor_kinds_ = 0;
  Atomic<std::uint32_t>* interest_;  // the stream's; null once it has ended
};

}  // namespace troupe::detail
