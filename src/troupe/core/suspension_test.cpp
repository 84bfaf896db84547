// Suspension: user messages wait, system messages flow.
#include <troupe/core/orders.hpp>
#include <troupe/core/timer.hpp>
#include <troupe/core/watch.hpp>
#include <troupe/core/world_test.hpp>

namespace troupe {
namespace {

using namespace std::chrono_literals;

struct Note {
  int number;
};
struct Arm {};
struct Fail {};
struct Look {
  AnyRef who;
};

struct Clerk {
  Lines* log;
  void on(const Note& note) { log->push_back(std::to_string(note.number)); }
  void on(const Arm&, Context& context) { (void)context.after(this, 1s, Note{1000}); }
  void on(const Look& look, Context& context) { (void)context.watch(look.who); }
  Result<void> on(const Fail&) { return Error{Code::failed, "asked to"}; }
  void on(const Terminated&) { log->push_back("terminated"); }
  void on(const Started&) { log->push_back("started"); }
  void on(const Stopping&) { log->push_back("stopping"); }
};

TEST(Suspension, FR_014_no_user_message_runs_until_resume_and_their_order_stays) {
  Lines log;
  World world;
  auto clerk = world.spawn<Clerk>(&log);
  world.run();
  clerk.suspend();
  for (int i = 1; i <= 3; ++i) ASSERT_TRUE(clerk.tell<Note>(i));
  ASSERT_TRUE(clerk.tell_high<Note>(101));
  world.run_for(60s);
  EXPECT_EQ(log, (Lines{"started"}));
  ASSERT_TRUE(clerk.tell<Note>(4));
  clerk.resume();
  world.run();
  EXPECT_EQ(log, (Lines{"started", "101", "1", "2", "3", "4"}));
}

TEST(Suspension, FR_014_suspended_mail_counts_against_the_bound) {
  Lines log;
  World world;
  auto clerk = world.spawn(Props<Clerk>(&log).mailbox(bounded(2)));
  clerk.suspend();
  world.run();
  ASSERT_TRUE(clerk.tell<Note>(1));
  world.run();
  ASSERT_TRUE(clerk.tell<Note>(2));
  world.run();
  EXPECT_EQ(clerk.tell<Note>(3).fate(), Fate::full);
}

TEST(Suspension, FR_014_hooks_and_notices_go_on) {
  Lines log;
  Lines own;
  World world;
  auto other = world.spawn<Clerk>(&log);
  auto clerk = world.spawn<Clerk>(&own);
  ASSERT_TRUE(clerk.tell<Look>(AnyRef(other)));
  world.run();
  clerk.suspend();
  world.run();
  other.stop();
  world.run();
  clerk.stop();
  world.run();
  EXPECT_EQ(own, (Lines{"started", "terminated", "stopping"}));
}

TEST(Suspension, FR_014_an_actor_suspended_before_its_start_starts_but_handles_nothing) {
  Lines log;
  World world;
  auto clerk = world.spawn<Clerk>(&log);
  clerk.suspend();
  ASSERT_TRUE(clerk.tell<Note>(1));
  world.run();
  EXPECT_EQ(log, (Lines{"started"}));
}

TEST(Suspension, FR_014_ticks_wait_too) {
  Lines log;
  World world;
  auto clerk = world.spawn<Clerk>(&log);
  ASSERT_TRUE(clerk.tell<Arm>());
  world.run();
  clerk.suspend();
  world.run_for(5s);
  EXPECT_EQ(log, (Lines{"started"}));
  clerk.resume();
  world.run();
  EXPECT_EQ(log, (Lines{"started", "1000"}));
}

TEST(Suspension, FR_014_it_is_a_level_two_suspends_need_one_resume) {
  Lines log;
  World world;
  auto clerk = world.spawn<Clerk>(&log);
  clerk.suspend();
  world.run();
  clerk.suspend();
  world.run();
  clerk.resume();
  ASSERT_TRUE(clerk.tell<Note>(1));
  world.run();
  EXPECT_EQ(log.back(), "1");
  EXPECT_EQ(world.events.count(EventKind::suspended), 1u);
}

TEST(Suspension, FR_019_count_and_duration_are_collected_with_the_systems_clock) {
  Lines log;
  World world;
  auto clerk = world.spawn<Clerk>(&log);
  for (int i = 0; i < 2; ++i) {
    clerk.suspend();
    world.run();
    world.run_for(3s);
    clerk.resume();
    world.run();
    world.run_for(1s);
  }
  const Side& side = *clerk.cell().cell->side.load();
  EXPECT_EQ(side.suspensions.value(), 2u);
  EXPECT_EQ(side.suspended_ns.value(), 6'000'000'000u);
  const TypeCounters& all = clerk.cell().cell->type.load()->counters[0];
  EXPECT_EQ(all.suspensions.value(), 2u);
  EXPECT_EQ(all.suspended_ns.value(), 6'000'000'000u);
  const auto ended = world.events.of(EventKind::unsuspended);
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(ended[0].duration, 3s);
}

TEST(Suspension, FR_019_the_end_of_the_actor_ends_it) {
  Lines log;
  World world;
  auto clerk = world.spawn<Clerk>(&log);
  clerk.suspend();
  world.run();
  world.run_for(5s);
  const TypeCounters& all = clerk.cell().cell->type.load()->counters[0];
  EXPECT_EQ(all.suspended_ns.value(), 0u);
  clerk.stop();
  world.run();
  EXPECT_EQ(all.suspended_ns.value(), 5'000'000'000u);
  EXPECT_EQ(world.events.count(EventKind::unsuspended), 0u);
}

TEST(Suspension, FR_014_a_restart_does_not_end_it) {
  Lines log;
  World world;
  auto clerk = world.spawn(Props<Clerk>(&log).on_failure(one_for_one()));
  ASSERT_TRUE(clerk.tell<Fail>());
  while (world.events.count(EventKind::failed) == 0 && world.step()) {
  }
  clerk.suspend();
  ASSERT_TRUE(clerk.tell<Note>(1));
  world.run();
  EXPECT_EQ(world.events.count(EventKind::restarted), 1u);
  EXPECT_EQ(log, (Lines{"started", "stopping", "started"}));
  clerk.resume();
  world.run();
  EXPECT_EQ(log.back(), "1");
}

}  // namespace
}  // namespace troupe
