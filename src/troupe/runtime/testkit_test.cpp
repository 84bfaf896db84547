#include <troupe/runtime/testkit.hpp>

#include <optional>

#include <gtest/gtest.h>

#include <troupe/core/completion.hpp>
#include <troupe/core/timer.hpp>

namespace troupe::testkit {
namespace {

using namespace std::chrono_literals;

struct Ping {
  int number;
};
struct Pong {
  int number;
};
struct Other {};
struct Echo {
  Ref<Protocol<void(Pong), void(Other)>> to;
  void on(const Ping& ping) { (void)to.tell<Pong>(ping.number); }
};

TEST(TestKit, a_probe_expects_messages_in_order) {
  Stage stage;
  auto probe = stage.probe<Pong, Other>();
  const auto echo = stage.spawn<Echo>(probe.ref());
  ASSERT_TRUE(echo.tell<Ping>(1).accepted());
  ASSERT_TRUE(echo.tell<Ping>(2).accepted());
  EXPECT_EQ(probe.expect<Pong>().value().number, 1);
  EXPECT_EQ(probe.expect<Pong>().value().number, 2);
  EXPECT_TRUE(probe.hears_nothing(10s));
  EXPECT_EQ(stage.check(), "");
}

TEST(TestKit, a_probe_says_what_came_instead) {
  Stage stage;
  auto probe = stage.probe<Pong, Other>();
  ASSERT_TRUE(probe.ref().tell<Other>().accepted());
  const auto pong = probe.expect<Pong>();
  ASSERT_FALSE(pong.has_value());
  EXPECT_EQ(pong.error().text(), "expected Pong, but Other came");
  const auto none = stage.probe<Pong>().expect<Pong>(5s);
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code(), Code::timeout);
}

struct Begin {};
struct Alarmed {
  Ref<Protocol<void(Pong), void(Other)>> to;
  void on(const Begin&, Context& context) { (void)context.after(this, 1h, Ping{60}); }
  void on(const Ping& ping) { (void)to.tell<Pong>(ping.number); }
};

TEST(TestKit, virtual_time_passes_only_when_told) {
  Stage stage;
  auto probe = stage.probe<Pong, Other>();
  ASSERT_TRUE(stage.spawn<Alarmed>(probe.ref()).tell<Begin>().accepted());
  stage.run_until_idle();
  stage.advance(59min);
  EXPECT_EQ(probe.size(), 0u);
  stage.advance(1min);
  EXPECT_EQ(probe.size(), 1u);
  EXPECT_EQ(stage.world().elapsed(), 1h);
}

TEST(TestKit, faults_make_a_handler_fail_once) {
  Stage stage;
  auto probe = stage.probe<Pong, Other>();
  const auto echo =
      stage.spawn(Props<Echo>(Ref<Protocol<void(Pong), void(Other)>>(probe.ref())).on_failure(one_for_one())).value();
  stage.faults().fail_next("Echo", "Ping");
  ASSERT_TRUE(echo.tell<Ping>(1).accepted());
  ASSERT_TRUE(echo.tell<Ping>(2).accepted());
  EXPECT_EQ(probe.expect<Pong>().value().number, 2);
  EXPECT_EQ(stage.check(), "");
}

TEST(TestKit, FR_021_another_executor_takes_three_lines) {
  World world(7);
  System system(world.node(), SystemOptions{.print_warnings = false});
  Probe<Pong, Other> probe(world, system);
  ASSERT_TRUE(system.spawn<Echo>(probe.ref()).tell<Ping>(3).accepted());
  EXPECT_EQ(probe.expect<Pong>().value().number, 3);
}

TEST(TestKit, several_systems_share_a_world_and_talk) {
  World world(7);
  System near(world.node(), SystemOptions{.print_warnings = false});
  System far(world.node(), SystemOptions{.print_warnings = false});
  Probe<Pong, Other> probe(world, near);
  const auto echo = far.spawn<Echo>(probe.ref());
  ASSERT_TRUE(echo.tell<Ping>(3).accepted());
  EXPECT_EQ(probe.expect<Pong>().value().number, 3);
  EXPECT_EQ(check_law(near), "");
  EXPECT_EQ(check_law(far), "");
}

TEST(TestKit, a_system_ends_in_a_world_whose_steps_are_used_up) {
  World world(7);
  System system(world.node(), SystemOptions{.print_warnings = false});
  Probe<Pong, Other> probe(world, system);
  const auto echo = system.spawn<Echo>(probe.ref());
  world.run_until_idle();
  world.limit_steps(world.steps());
  ASSERT_TRUE(echo.tell<Ping>(1).accepted());
  EXPECT_TRUE(system.shutdown().forced);
}

struct Widow {
  int* notices;
  void on(const Begin&) {}
  Result<void> on(const Ref<Echo>& whom, Context& context) { return context.watch(whom); }
  void on(const Terminated&) { ++*notices; }
};

TEST(TestKit, AR_14_who_watches_an_actor_of_another_system_is_told_when_that_is_cut_off) {
  World world(7);
  System near(world.node(), SystemOptions{.print_warnings = false});
  System far(world.node(), SystemOptions{.print_warnings = false});
  int notices = 0;
  const auto widow = near.spawn<Widow>(&notices);
  Probe<Pong, Other> probe(world, near);
  ASSERT_TRUE(widow.tell(far.spawn<Echo>(probe.ref())).accepted());
  world.run_until_idle();
  far.cut_off();
  world.run_until_idle();
  EXPECT_EQ(notices, 1);
  EXPECT_TRUE(widow.tell<Begin>().accepted());
  world.run_until_idle();
  EXPECT_EQ(check_law(near), "");
}

struct Witness {
  static inline int destroyed = 0;
  static inline int hooks = 0;
  Ref<Echo> other;
  Reply<int> kept;
  explicit Witness(Ref<Echo> to) : other(to) {}
  Witness(const Witness&) = delete;
  ~Witness() {
    ++destroyed;
    (void)other.tell<Ping>(99);
  }
  Kept<int> on(const Begin&, Context& context) { return context.keep(kept); }
  void on(const Stopping&) { ++hooks; }
};

TEST(TestKit, a_system_that_is_cut_off_runs_no_hook_and_sends_nothing) {
  Witness::destroyed = Witness::hooks = 0;
  World world(7);
  System near(world.node(), SystemOptions{.print_warnings = false});
  Probe<Pong, Other> probe(world, near);
  const auto echo = near.spawn<Echo>(probe.ref());
  {
    System far(world.node(), SystemOptions{.print_warnings = false});
    const auto witness = far.spawn<Witness>(echo);
    auto asked = near.future(witness.ask<Begin>().within(1s));
    world.run_until_idle();
    far.cut_off();
    EXPECT_EQ(Witness::destroyed, 1);
    EXPECT_EQ(Witness::hooks, 0);
    EXPECT_EQ(witness.tell<Begin>().fate(), Fate::stopped);
  }
  EXPECT_TRUE(probe.hears_nothing(10s));
}

struct Listener {
  void on(const Ping&) {}
};

TEST(TestKit, FR_003_a_cell_of_a_system_that_was_cut_off_has_all_its_room_again) {
  const auto spawn_with_room_for_two = [](Stage& stage) {
    return stage.spawn(Props<Listener>().mailbox(bounded(2))).value();
  };
  Ref<Listener> before;
  {
    Stage stage;
    before = spawn_with_room_for_two(stage);
    before.suspend();
    ASSERT_TRUE(before.tell<Ping>(1).accepted());
    ASSERT_TRUE(before.tell_high<Ping>(2).accepted());
    stage.run_until_idle();  // these two are sorted, the next one is still in the chain
    ASSERT_TRUE(before.tell_high<Ping>(3).accepted());
    stage.system().cut_off();
  }
  Stage stage;
  bool reused = false;
  for (int i = 0; i < 1000 && !reused; ++i) {
    const auto next = spawn_with_room_for_two(stage);
    reused = next.cell().cell == before.cell().cell;
    ASSERT_TRUE(next.tell<Ping>(1).accepted());
    ASSERT_TRUE(next.tell<Ping>(2).accepted());
    ASSERT_EQ(next.tell<Ping>(3).fate(), Fate::full);
  }
  EXPECT_TRUE(reused) << "the cell was not reused: the test proves nothing";
}

struct Sleeper {
  std::optional<Completion<void>::Token> never;
  Task<void> on(const Ping&, Context& context) {
    (void)context.stash();
    Completion<void> morning;
    never.emplace(morning.token());
    co_await morning;
  }
};

TEST(TestKit, a_system_is_cut_off_while_the_turn_of_a_stashed_message_waits) {
  Stage stage;
  const auto sleeper = stage.spawn<Sleeper>();
  ASSERT_TRUE(sleeper.tell<Ping>(1).accepted());
  stage.run_until_idle();
  stage.system().cut_off();
  EXPECT_EQ(sleeper.tell<Ping>(2).fate(), Fate::stopped);
}

struct Breed {};
struct Breeder {
  AnyRef on(const Breed&, Context& context) { return context.spawn<Listener>(); }
};
struct Mayfly {
  void on(const Ping&) {}
};

TEST(TestKit, AR_01_the_address_of_one_that_has_ended_does_not_name_who_has_its_cell_now) {
  Stage stage;
  const auto breeder = stage.spawn<Breeder>();
  const auto mayfly = stage.spawn<Mayfly>();
  EXPECT_TRUE(stage.system().address_of(mayfly).starts_with("mayfly:~"));
  mayfly.stop();
  stage.run_until_idle();
  const AnyRef listener = stage.wait(breeder.ask<Breed>()).value();
  ASSERT_EQ(listener.cell().cell, mayfly.cell().cell) << "the cell was not reused: the test proves nothing";
  EXPECT_TRUE(stage.system().address_of(mayfly).starts_with("actor:~"));
}

}  // namespace
}  // namespace troupe::testkit
