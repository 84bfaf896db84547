// Each kind of event is made to happen. A kind that nobody can make happen has no place in the list: the switch does
// not compile without a case for each, and the test fails for a case that its event does not follow.
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <troupe/core/static_system.hpp>
#include <troupe/runtime/testkit.hpp>
#include <troupe/troupe.hpp>

namespace troupe {
namespace {

using namespace std::chrono_literals;

struct Job {};
struct Fail {};
struct PutAside {};
struct Question {};
struct Answer {};
struct Go {};

struct Clerk {
  Reply<int> kept{};

  void on(const Job&) {}
  Result<void> on(const Fail&) { return Error{Code::failed, "asked to"}; }
  void on(const PutAside&, Context& context) { (void)context.stash(); }
  Kept<int> on(const Question&, Context& context) { return context.keep(kept); }
  void on(const Answer&) { kept(42); }
};

// Waits for an answer for one second only.
struct Impatient {
  Ref<Clerk> clerk;
  Task<void> on(const Go&) {
    auto answer = co_await clerk.ask<Question>().within(1s);
    (void)answer;
  }
};

struct Unready {
  Result<void> on(const Started&) { return Error{Code::failed, "no tools"}; }
  void on(const Job&) {}
};

struct Clumsy {
  Result<void> on(const Stopping&) { return Error{Code::failed, "lost the keys"}; }
  void on(const Job&) {}
};

// Handles until the event has been seen.
struct Sluggish {
  Atomic<bool>* seen;
  void on(const Job&) {
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (!seen->load(order::acquire) && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  }
};

// A system in virtual time, and one kind of its events.
struct Office {
  testkit::Stage stage;
  Subscription heard;

  explicit Office(EventKind kind) : stage(1), heard(stage.system().events().subscribe(kinds(kind))) {}

  Ref<Clerk> clerk(Props<Clerk> props) { return stage.spawn(std::move(props)).value(); }
  Ref<Clerk> clerk() { return clerk(Props<Clerk>()); }
  std::optional<EventRecord> event() {
    stage.run_until_idle();
    return heard.next();
  }
};

std::optional<EventRecord> after_failure(EventKind kind, const Policy& policy) {
  Office office(kind);
  (void)office.clerk(Props<Clerk>().on_failure(policy)).tell<Fail>();
  return office.event();
}

std::optional<EventRecord> after_order(EventKind kind) {
  Office office(kind);
  const auto clerk = office.clerk();
  clerk.suspend();
  office.stage.run_until_idle();
  if (kind == EventKind::unsuspended) clerk.resume();
  if (kind == EventKind::stopped) clerk.stop();
  return office.event();
}

std::optional<EventRecord> after_failed_start(EventKind kind) {
  Office office(kind);
  (void)office.stage.spawn(Props<Unready>().on_start_failure(retry_start().at_most(1, 1s)));
  return office.event();
}

// One message more than there is room for, while nothing is handled.
std::optional<EventRecord> after_overflow(EventKind kind, const MailboxOptions& mailbox) {
  Office office(kind);
  const auto clerk = office.clerk(Props<Clerk>().mailbox(mailbox));
  (void)clerk.tell<Job>();
  if (mailbox.overflow == Overflow::block) {
    auto sent = office.stage.system().future(clerk.send<Job>());
    return office.event();
  }
  const std::uint32_t more = kind == EventKind::reserve_exhausted ? mailbox.reserve + 1 : 1;
  for (std::uint32_t i = 0; i < more; ++i) {
    (void)(kind == EventKind::reserve_exhausted ? clerk.tell_high<Job>() : clerk.tell<Job>());
  }
  return office.event();
}

std::optional<EventRecord> after_stashing_too_much() {
  Office office(EventKind::stash_full);
  const auto clerk = office.clerk(Props<Clerk>().stash(1));
  (void)clerk.tell<PutAside>();
  (void)clerk.tell<PutAside>();
  return office.event();
}

std::optional<EventRecord> after_answering_late() {
  Office office(EventKind::late_reply);
  const auto clerk = office.clerk();
  (void)office.stage.spawn<Impatient>(clerk).tell<Go>();
  office.stage.run_until_idle();
  office.stage.advance(2s);
  (void)clerk.tell<Answer>();
  return office.event();
}

std::optional<EventRecord> after_dawdling() {
  Atomic<bool> seen{false};
  System system({.slow_handler_after = 1ms, .print_warnings = false});
  auto heard = system.events().subscribe(kinds(EventKind::slow_handler));
  (void)system.spawn<Sluggish>(&seen).tell<Job>();
  auto event = heard.wait(10s);
  seen.store(true, order::release);
  return event;
}

// A system without an event stream: its memory is fixed, and used up.
std::optional<EventRecord> after_using_up_memory() {
  struct Sink final : EventSink {
    std::optional<EventRecord> heard;
    Sink() noexcept { interest_.store(kinds(EventKind::memory_exhausted).bits()); }
    void publish(const Event& event) noexcept override { heard = record_of(event, 0); }
  };
  constexpr Limits small{.actors = 4, .state_bytes = 32, .sides = 1, .messages = 8, .message_bytes = 16, .frames = 2};
  testkit::VirtualClock clock;
  Sink sink;
  const auto system = std::make_unique<StaticSystem<small>>(clock, sink, KernelOptions{.mailbox = unbounded()});
  const auto clerk = system->spawn<Clerk>().value();
  while (clerk.tell<Job>()) {
  }
  return sink.heard;
}

std::optional<EventRecord> after_escaping() {
  Office office(EventKind::reference_escaped);
  Ref<Clerk> escaped;
  {
    Office other(EventKind::stopped);
    escaped = other.clerk();
  }
  (void)escaped.tell<Job>();
  return office.event();
}

std::optional<EventRecord> after_a_failed_end() {
  Office office(EventKind::stop_hook_failed);
  const auto clumsy = office.stage.spawn<Clumsy>();
  office.stage.run_until_idle();
  clumsy.stop();
  return office.event();
}

std::optional<EventRecord> after_leaving_work() {
  Office office(EventKind::not_drained);
  const auto clerk = office.clerk();
  clerk.suspend();
  (void)clerk.tell<Job>();
  (void)office.stage.system().shutdown(1s);
  return office.heard.next();
}

std::optional<EventRecord> provoked(EventKind kind) {
  switch (kind) {
    case EventKind::dead_letter:
      return after_overflow(kind, bounded(1));
    case EventKind::failed:
    case EventKind::restarted:
      return after_failure(kind, one_for_one());
    case EventKind::resumed:
      return after_failure(kind, resume_on_error());
    case EventKind::stopped:
    case EventKind::suspended:
    case EventKind::unsuspended:
      return after_order(kind);
    case EventKind::start_failed:
    case EventKind::unstarted:
      return after_failed_start(kind);
    case EventKind::mailbox_grown:
      return after_overflow(kind, growing(1, 4));
    case EventKind::reserve_exhausted:
      return after_overflow(kind, bounded(1));
    case EventKind::back_pressure:
      return after_overflow(kind, bounded(1, Overflow::block));
    case EventKind::stash_full:
      return after_stashing_too_much();
    case EventKind::slow_handler:
      return after_dawdling();
    case EventKind::late_reply:
      return after_answering_late();
    case EventKind::memory_exhausted:
      return after_using_up_memory();
    case EventKind::reference_escaped:
      return after_escaping();
    case EventKind::stop_hook_failed:
      return after_a_failed_end();
    case EventKind::not_drained:
      return after_leaving_work();
  }
  return std::nullopt;
}

TEST(EventKind, FR_016_every_kind_of_event_happens) {
  for (unsigned i = 0; i < event_kinds; ++i) {
    const auto kind = static_cast<EventKind>(i);
    const auto event = provoked(kind);
    ASSERT_TRUE(event.has_value()) << to_string(kind) << " never happened";
    EXPECT_EQ(event->kind, kind);
    EXPECT_FALSE(to_string(*event).empty());
  }
}

TEST(EventKind, FR_012_a_message_without_memory_to_reach_its_mailbox_is_an_error_and_an_event_that_names_it) {
  const auto event = provoked(EventKind::memory_exhausted);
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(to_string(*event), "there is no memory for what Clerk needs (Job): raise the system's limits");
}

TEST(EventKind, FR_001_a_reference_that_escaped_is_an_event_of_the_systems_that_live) {
  const auto event = provoked(EventKind::reference_escaped);
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(to_string(*event), "Job was sent to Clerk after its system ended");
}

}  // namespace
}  // namespace troupe
