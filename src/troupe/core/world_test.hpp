// World: a system for the tests of core. The test pumps it, moves its clock and reads what it published.
//
// At the end of each test the world checks the law of no message without a fate, stops what is left, checks the law
// again and that every block of memory has come home.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <troupe/core/ask.hpp>
#include <troupe/core/orders.hpp>
#include <troupe/core/props.hpp>
#include <troupe/core/ref.hpp>
#include <troupe/core/report.hpp>
#include <troupe/core/side.hpp>
#include <troupe/core/synchronous.hpp>
#include <troupe/core/turn.hpp>

namespace troupe {

// What actors under test write down, in order. Declared before the world, so that it outlives its actors.
using Lines = std::vector<std::string>;

// How GoogleTest shows them.
inline void PrintTo(Code code, std::ostream* out) { *out << to_string(code); }
inline void PrintTo(Fate fate, std::ostream* out) { *out << to_string(fate); }
inline void PrintTo(Directive directive, std::ostream* out) { *out << to_string(directive); }
inline void PrintTo(StopReason reason, std::ostream* out) { *out << to_string(reason); }

class FakeClock final : public Clock {
 public:
  Instant time = 1'000'000'000;
  [[nodiscard]] Instant now() noexcept override { return time; }
  [[nodiscard]] std::chrono::sys_time<Duration> wall() noexcept override { return {}; }
};

// An event as it was published; the views in it are copied.
struct Seen {
  EventKind kind;
  CellRef actor;
  CellRef sender;
  std::string actor_type;
  std::string message;
  std::string error;
  std::optional<Code> code;
  DeadReason reason;
  StopReason stop_reason;
  std::uint64_t number;
  Duration duration;
};

class EventLog final : public EventSink {
 public:
  EventLog() noexcept { interest_.store(~std::uint32_t{0}); }
  void publish(const Event& event) noexcept override {
    seen.push_back({.kind = event.kind,
                    .actor = event.actor,
                    .sender = event.sender,
                    .actor_type = event.actor_type,
                    .message = event.message,
                    .error = event.error == nullptr ? "" : std::string(event.error->text()),
                    .code = event.error == nullptr ? std::nullopt : std::optional(event.error->code()),
                    .reason = event.reason,
                    .stop_reason = event.stop_reason,
                    .number = event.number,
                    .duration = event.duration});
  }
  [[nodiscard]] std::vector<Seen> of(EventKind kind) const {
    std::vector<Seen> found;
    for (const Seen& event : seen) {
      if (event.kind == kind) found.push_back(event);
    }
    return found;
  }
  [[nodiscard]] std::size_t count(EventKind kind) const { return of(kind).size(); }
  // Dead letters as "Message reason", in order.
  [[nodiscard]] Lines dead_letters() const {
    Lines lines;
    for (const Seen& event : of(EventKind::dead_letter)) {
      lines.push_back(event.message + " " + std::string(to_string(event.reason)));
    }
    return lines;
  }
  // Ends as "Actor reason", in order.
  [[nodiscard]] Lines stops() const {
    Lines lines;
    for (const Seen& event : of(EventKind::stopped)) {
      lines.push_back(event.actor_type + " " + std::string(to_string(event.stop_reason)));
    }
    return lines;
  }

  std::vector<Seen> seen;
};

// The answer to an ask from outside, once it has come.
template <class R>
class Answer : Waiter {
 public:
  explicit Answer(Ask<R> ask) : Waiter{&settled} {
    Error error{Code::cancelled};
    const asks::Sent sent = asks::send_outside(ask.request(), *this, error);
    if (sent == asks::Sent::refused) result_ = Result<R>(std::unexpect, std::move(error));
    if constexpr (std::is_void_v<R>) {
      if (sent == asks::Sent::done) result_ = Result<void>{};
    }
  }
  [[nodiscard]] bool came() const noexcept { return result_.has_value(); }
  [[nodiscard]] bool failed() const noexcept { return came() && !result_->has_value(); }
  [[nodiscard]] Result<R>& result() { return result_.value(); }
  [[nodiscard]] auto value() { return result_.value().value(); }
  [[nodiscard]] std::string code() { return failed() ? std::string(to_string(result().error().code())) : "none"; }
  [[nodiscard]] std::string text() { return failed() ? std::string(result().error().text()) : ""; }

 private:
  static void settled(Waiter* self, Envelope* envelope) {
    auto& answer = *static_cast<Answer*>(self);
    EXPECT_FALSE(answer.came()) << "answered twice";
    auto* result = static_cast<Result<R>*>(envelope->payload());
    answer.result_ = std::move(*result);
    result->~Result<R>();
    memory_here()->free(envelope, envelope->size_class);
  }
  std::optional<Result<R>> result_;
};

struct WorldOptions {
  KernelOptions kernel{};
  std::size_t bytes = std::size_t{1} << 20;
};

class World {
 public:
  explicit World(const WorldOptions& options = {})
      : memory_(new(std::align_val_t{block_unit}) std::byte[options.bytes]),
        bytes_(options.bytes),
        arena_(memory_.get(), options.bytes),
        executor_(arena_, clock),
        kernel_(0, executor_, clock, events, nullptr, options.kernel, 1) {
    executor_.serve(kernel_);
    current_worker = &executor_.worker();
    EXPECT_TRUE(kernel_.open(worker()));
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() {
    check_law();
    stop_all();
    check_law();
    answers_.clear();
    check_memory();
    current_worker = &nobody;
  }

  template <class A, class... Arguments>
  Ref<A> spawn(Arguments&&... arguments) {
    auto spawned = detail::spawn_plainly<A>(worker(), kernel_.guardian(), std::forward<Arguments>(arguments)...);
    EXPECT_TRUE(spawned.has_value());
    return spawned.has_value() ? Ref<A>(*spawned) : Ref<A>();
  }
  template <class A, class Mailbox>
  Ref<A> spawn(Props<A, Mailbox> props) {
    auto spawned = try_spawn(std::move(props));
    EXPECT_TRUE(spawned.has_value());
    return spawned.has_value() ? *spawned : Ref<A>();
  }
  template <class A, class Mailbox>
  [[nodiscard]] Result<Ref<A>> try_spawn(Props<A, Mailbox> props) {
    return std::move(props).spawn(worker(), kernel_.guardian());
  }

  // Sends at once; the answer comes while the world runs.
  template <class R>
  Answer<R>& ask(Ask<R> request) {
    auto answer = std::make_shared<Answer<R>>(std::move(request));
    answers_.push_back(answer);
    return *answer;
  }

  // Until nothing is ready; time stands still.
  void run() { executor_.pump(); }
  bool step() { return executor_.step(); }
  // From one due time to the next, as far as the duration goes.
  void run_for(Duration duration) {
    const Instant end = after(clock.time, duration);
    for (Instant due = executor_.pump(); due <= end; due = executor_.pump()) clock.time = due;
    clock.time = end;
    run();
  }

  [[nodiscard]] Worker& worker() noexcept { return executor_.worker(); }
  [[nodiscard]] Kernel& kernel() noexcept { return kernel_; }
  [[nodiscard]] const Counters& counters() noexcept { return worker().counters; }
  [[nodiscard]] std::size_t memory_left() const noexcept { return arena_.left(); }

  void check_law() {
    const Counters& figures = counters();
    std::uint64_t queued = 0;
    reports::adopt_newcomers(kernel_.guardian());
    add_queued(kernel_.guardian(), queued);
    EXPECT_EQ(figures.sent.value(), figures.handled.value() + figures.rejected.value() + figures.dropped.value() +
                                        figures.dead.value() + queued)
        << "sent " << figures.sent.value() << ", handled " << figures.handled.value() << ", rejected "
        << figures.rejected.value() << ", dropped " << figures.dropped.value() << ", dead " << figures.dead.value()
        << ", queued " << queued;
  }

  FakeClock clock;
  EventLog events;

 private:
  struct Free {
    void operator()(std::byte* memory) const noexcept { ::operator delete[](memory, std::align_val_t{block_unit}); }
  };

  static void add_queued(const Cell& cell, std::uint64_t& queued) {
    queued += turns::waiting(cell);
    const Side* side = cell.side.load();
    if (side == nullptr) return;
    for (const Cell* child = side->first_child; child != nullptr; child = child->next_sibling) {
      add_queued(*child, queued);
    }
  }

  void stop_all() {
    const Cell& guardian = kernel_.guardian();
    for (Cell* root = guardian.side.load()->first_child; root != nullptr; root = root->next_sibling) {
      orders::order_stop(*root, root->generation.load(), StopReason::shutdown);
    }
    run_for(std::chrono::minutes(10));
    EXPECT_EQ(guardian.side.load()->children, 0u) << "an actor does not end";
  }

  // All that was carved from the arena lies in a pool again, but for the guardian and the records of types.
  void check_memory() {
    const auto rounded = [](std::size_t bytes) { return (bytes + block_unit - 1) / block_unit * block_unit; };
    std::size_t home = rounded(cell_bytes(cell_class_of(0))) + sizeof(Side);
    for (const Type* type = kernel_.first_type(); type != nullptr; type = type->next) {
      home += block_bytes(type->size_class);
    }
    for (unsigned i = 1; i < size_classes; ++i) {
      const auto size_class = static_cast<SizeClass>(i);
      const std::size_t bytes = size_class == side_class ? sizeof(Side)
                                : is_stable(size_class)  ? cell_bytes(size_class)
                                                         : block_bytes(size_class);
      home += worker().pool(size_class).count * rounded(bytes);
    }
    EXPECT_EQ(home, rounded(bytes_ - arena_.left())) << "memory leaked (or was freed twice)";
  }

  std::unique_ptr<std::byte[], Free> memory_;
  std::size_t bytes_;
  Arena arena_;
  Synchronous executor_;
  Kernel kernel_;
  std::vector<std::shared_ptr<void>> answers_;
};

}  // namespace troupe
