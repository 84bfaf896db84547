// StaticSystem: fixed memory, pumped by its caller. Exhausting a limit is an error value.
#include <troupe/core/static_system.hpp>

#include <algorithm>

#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

constexpr Limits small{.actors = 4, .state_bytes = 32, .sides = 1, .messages = 8, .message_bytes = 16, .frames = 2};

struct Note {
  int number;
};
struct Wait {};
struct Clerk {
  int sum = 0;
  int on(const Note& note) { return sum += note.number; }
  Result<void> on(const Arm& arm, Context& context) {
    auto armed = context.after(this, arm.delay, Note{1});
    if (!armed.has_value()) return std::unexpected<Error>(std::move(armed.error()));
    return {};
  }
};

TEST(StaticSystem, FR_005_actors_run_without_threads_and_heap) {
  FakeClock clock;
  auto system = std::make_unique<StaticSystem<small>>(clock);
  auto clerk = system->spawn<Clerk>();
  ASSERT_TRUE(clerk.has_value());
  const std::size_t left = system->memory_left();
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(clerk->tell<Note>(i));
    EXPECT_EQ(system->pump(), end_of_time);
  }
  EXPECT_EQ(system->counters().handled.value(), 300u);
  EXPECT_LT(left - system->memory_left(), 4096u) << "blocks are used again";
}

TEST(StaticSystem, FR_005_when_actors_are_exhausted_spawn_is_an_error_and_the_rest_goes_on) {
  FakeClock clock;
  auto system = std::make_unique<StaticSystem<small>>(clock);
  std::vector<Ref<Clerk>> clerks;
  for (;;) {
    auto clerk = system->spawn<Clerk>();
    if (!clerk.has_value()) {
      EXPECT_EQ(clerk.error().code(), Code::exhausted);
      break;
    }
    clerks.push_back(*clerk);
    ASSERT_LT(clerks.size(), 1000u);
  }
  EXPECT_GE(clerks.size(), 4u);
  system->pump();
  clerks[0].stop();
  system->pump();
  EXPECT_TRUE(system->spawn<Clerk>().has_value()) << "an ended actor makes room";
}

TEST(StaticSystem, FR_005_when_envelopes_are_exhausted_tell_says_so_and_the_law_holds) {
  FakeClock clock;
  auto system = std::make_unique<StaticSystem<small>>(clock, KernelOptions{.mailbox = unbounded()});
  auto clerk = system->spawn<Clerk>();
  ASSERT_TRUE(clerk.has_value());
  system->pump();
  std::uint64_t accepted = 0;
  while (clerk->tell<Note>(1)) ASSERT_LT(++accepted, 1000u);
  EXPECT_GE(accepted, 8u);
  EXPECT_EQ(clerk->tell<Note>(1).fate(), Fate::exhausted);
  EXPECT_EQ(system->counters().rejected.value(), 2u);
  system->pump();
  EXPECT_EQ(system->counters().handled.value(), accepted);
  EXPECT_TRUE(clerk->tell<Note>(1));
}

TEST(StaticSystem, FR_005_when_timers_are_exhausted_starting_one_is_an_error) {
  FakeClock clock;
  EventLog events;
  auto system = std::make_unique<StaticSystem<small>>(clock, events);
  auto clerk = system->spawn(Props<Clerk>().on_failure(resume_on_error()));
  ASSERT_TRUE(clerk.has_value());
  for (int i = 0; i < 200 && events.count(EventKind::failed) == 0; ++i) {
    (void)clerk->tell<Arm>(1h);
    system->pump();
  }
  const auto failed = events.of(EventKind::failed);
  ASSERT_GE(failed.size(), 1u);
  EXPECT_EQ(failed[0].code, Code::exhausted);
}

TEST(StaticSystem, FR_003_block_is_refused_at_configuration_if_known_only_then) {
  FakeClock clock;
  auto system = std::make_unique<StaticSystem<small>>(clock, KernelOptions{.may_block = true});
  const MailboxOptions chosen_while_running = bounded(4, Overflow::block);
  auto clerk = system->spawn(Props<Clerk>().mailbox(chosen_while_running));
  ASSERT_FALSE(clerk.has_value());
  EXPECT_EQ(clerk.error().code(), Code::unsupported);

  Props<Clerk> forgets_what_the_compiler_knew = Props<Clerk>().mailbox(bounded(4, Overflow::block));
  clerk = system->spawn(std::move(forgets_what_the_compiler_knew));
  ASSERT_FALSE(clerk.has_value());
  EXPECT_EQ(clerk.error().code(), Code::unsupported);
}

TEST(StaticSystem, FR_003_the_last_mailbox_said_counts) {
  FakeClock clock;
  auto system = std::make_unique<StaticSystem<small>>(clock);
  auto clerk = system->spawn(Props<Clerk>().mailbox(bounded(4, Overflow::block)).mailbox(bounded(4)));
  EXPECT_TRUE(clerk.has_value());
}

TEST(StaticSystem, FR_021_pump_says_when_the_next_timer_is_due) {
  FakeClock clock;
  auto system = std::make_unique<StaticSystem<Limits{}>>(clock);
  auto clerk = system->spawn<Clerk>();
  ASSERT_TRUE(clerk.has_value());
  ASSERT_TRUE(clerk->tell<Arm>(3s));
  EXPECT_EQ(system->pump(), clock.time + 3'000'000'000);
  clock.time += 3'000'000'000;
  EXPECT_EQ(system->pump(), end_of_time);
}

TEST(StaticSystem, FR_021_step_runs_one_message) {
  FakeClock clock;
  auto system = std::make_unique<StaticSystem<Limits{}>>(clock);
  auto clerk = system->spawn<Clerk>();
  ASSERT_TRUE(clerk.has_value());
  system->pump();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(clerk->tell<Note>(1));
  std::uint64_t before = 0;
  while (system->step()) {
    const std::uint64_t handled = system->counters().handled.value();
    EXPECT_LE(handled - before, 1u);
    before = handled;
  }
  EXPECT_EQ(system->counters().handled.value(), 3u);
}

// What is alive when the system ends goes without a word, but it goes: instances, frames, messages, kept replies.
TEST(StaticSystem, FR_005_a_system_that_ends_destroys_its_actors_and_runs_no_hook) {
  Lines log;
  std::deque<Script> scripts;
  scripts.push_back({.name = "a", .log = &log});
  scripts.push_back({.name = "child", .log = &log});
  {
    FakeClock clock;
    constexpr Limits enough{.actors = 16, .sides = 16, .messages = 64, .frames = 16};
    auto system = std::make_unique<StaticSystem<enough>>(clock);
    auto subject = system->spawn<Subject>(&scripts[0]);
    ASSERT_TRUE(subject.has_value());
    ASSERT_TRUE(subject->tell<Bear>(&scripts[1]));
    ASSERT_TRUE(subject->tell<Aside>());
    ASSERT_TRUE(subject->tell<Later>());
    ASSERT_TRUE(subject->tell<Arm>(1s));
    ASSERT_TRUE(subject->tell<Hold>());
    ASSERT_TRUE(subject->tell<Add>(1));
    system->pump();
    scripts[0].gate.reset();  // the token must not outlive the memory
    log.clear();
    system.reset();
  }
  std::sort(log.begin(), log.end());
  EXPECT_EQ(log, (Lines{"a destroyed", "child destroyed"}));
}

}  // namespace
}  // namespace troupe
