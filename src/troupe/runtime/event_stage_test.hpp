// A stage for the tests of the event stream: actors that listen, and a kernel that the test pumps.
#pragma once

#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <troupe/core/mailbox.hpp>
#include <troupe/core/props.hpp>
#include <troupe/core/synchronous.hpp>
#include <troupe/runtime/event_stream.hpp>

namespace troupe {
namespace {

using namespace std::chrono_literals;

class StillClock final : public Clock {
 public:
  Instant now() noexcept override { return 42; }
  std::chrono::sys_time<Duration> wall() noexcept override { return {}; }
};

struct Price {
  int cents = 0;
};
struct Work {};

// Takes its time between being meant for an actor and reaching its mailbox.
struct Dawdler {
  Dawdler() = default;
  Dawdler(Dawdler&&) = default;
  Dawdler(const Dawdler&) { std::this_thread::yield(); }
};

// What an actor of these tests heard.
struct Heard {
  std::vector<EventRecord> events;
  std::vector<int> prices;
  std::vector<AnyRef> senders;
};

struct Listener {
  Heard* heard;
  EventStream* stream;

  void on(const Started&, Context& context) {
    stream->subscribe(context.self(this), kinds(EventKind::failed));
    stream->subscribe_to<Price>(context.self(this));
  }
  void on(const EventRecord& record, Context& context) {
    heard->events.push_back(record);
    heard->senders.push_back(context.sender());
  }
  void on(const Price& price, Context& context) {
    heard->prices.push_back(price.cents);
    heard->senders.push_back(context.sender());
  }
  Result<void> on(const Work&) { return Error{Code::failed, "no such item"}; }
};

// As Listener, but it subscribes to nothing by itself.
struct Quiet {
  Heard* heard;
  bool fails = false;

  Result<void> on(const EventRecord& record, Context& context) {
    heard->events.push_back(record);
    heard->senders.push_back(context.sender());
    if (fails) return Error{Code::failed, "cannot bear events"};
    return {};
  }
  void on(const Price& price) { heard->prices.push_back(price.cents); }
  void on(const Dawdler&) {}
};

struct Seller {
  EventStream* stream;
  DeliveryReport* report;
  Result<void> on(const Work&) {
    *report = stream->publish(Price{7});
    return Error{Code::failed, "no such item"};
  }
};

// A kernel that its test pumps, with the one part of a System that the stream needs: a Directory.
class Stage final : public Directory {
 public:
  Result<CellRef> claim(std::string_view, std::string_view, Open, void*, bool&) noexcept override {
    return Error{Code::unsupported};
  }
  void release(Cell&) noexcept override {}
  Result<std::uint8_t> dispatcher(std::string_view, const ActorClass&) noexcept override { return std::uint8_t{0}; }
  void unsubscribe(Cell& cell) noexcept override { stream.forget({&cell, cell.generation.load(order::relaxed)}); }

  Stage() {
    executor.serve(kernel);
    current_worker = &executor.worker();
    EXPECT_TRUE(kernel.open(executor.worker()));
  }
  ~Stage() { current_worker = &nobody; }

  template <class A, class Mailbox>
  Ref<A> spawn(Props<A, Mailbox> props) {
    Ref<A> ref = std::move(props).spawn(executor.worker(), kernel.guardian()).value();
    executor.pump();
    return ref;
  }
  Ref<Quiet> spawn_quiet(std::uint32_t capacity = 64, Overflow overflow = Overflow::reject) {
    return spawn(Props<Quiet>(&heard).mailbox(bounded(capacity, overflow)));
  }
  void publish(EventKind kind, std::uint64_t number = 0) { stream.publish({.kind = kind, .number = number}); }

  static constexpr std::size_t arena_bytes = 1 << 20;
  StillClock clock;
  EventStream stream{clock};
  Heard heard;
  std::unique_ptr<std::byte[]> memory = std::make_unique_for_overwrite<std::byte[]>(arena_bytes);
  Arena arena{memory.get(), arena_bytes};
  Synchronous executor{arena, clock};
  Kernel kernel{0, executor, clock, stream, this, {}, 1};
};

inline std::vector<std::uint64_t> numbers(Subscription& subscription) {
  std::vector<std::uint64_t> found;
  while (auto event = subscription.next()) found.push_back(event->number);
  return found;
}
inline std::vector<EventKind> heard_kinds(Subscription& subscription) {
  std::vector<EventKind> found;
  while (auto event = subscription.next()) found.push_back(event->kind);
  return found;
}
using Kinds = std::vector<EventKind>;
using Numbers = std::vector<std::uint64_t>;

}  // namespace
}  // namespace troupe
