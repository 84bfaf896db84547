#include <troupe/core/supervision.hpp>

#include <algorithm>
#include <stdexcept>

#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

const Error failure{Code::failed, "failure"};
const Error fatal = Error{Code::failed, "fatal"}.with(Severity::fatal);

Directive by_message(const Error&, std::string_view message) {
  return message == "Fail" ? Directive::resume : Directive::stop;
}

TEST(Policy, AR_09_without_one_a_failure_stops) { EXPECT_EQ(Policy().decide(failure, "M"), Directive::stop); }
TEST(Policy, AR_09_one_for_one_restarts_at_most_five_times_in_a_minute) {
  constexpr Policy policy = one_for_one();
  EXPECT_EQ(policy.decide(failure, "M"), Directive::restart);
  EXPECT_EQ(policy.restarts(), 5);
  EXPECT_EQ(policy.window(), 60s);
}
TEST(Policy, AR_09_a_fatal_error_stops_under_every_preset) {
  for (const Policy& policy : {one_for_one(), all_for_one(), resume_on_error(), one_for_one(Directive::escalate)}) {
    EXPECT_EQ(policy.decide(fatal, "M"), Directive::stop);
  }
}
TEST(Policy, AR_09_only_a_decider_may_say_otherwise_of_a_fatal_error) {
  EXPECT_EQ(one_for_one().decided_by(by_message).decide(fatal, "Fail"), Directive::resume);
}
TEST(Policy, AR_21_the_decider_sees_error_and_message_type) {
  EXPECT_EQ(one_for_one().decided_by(by_message).decide(failure, "Fail"), Directive::resume);
  EXPECT_EQ(one_for_one().decided_by(by_message).decide(failure, "Other"), Directive::stop);
}

TEST(Supervision, AR_09_a_refusal_is_only_the_reply) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  auto& answer = stage.world.ask(subject.ask<Fail>(Severity::refusal));
  stage.world.run();
  EXPECT_EQ(answer.text(), "asked to fail");
  EXPECT_EQ(stage.world.events.count(EventKind::failed), 0u);
  EXPECT_EQ(life_of(subject), Life::running);
}

TEST(Supervision, AR_18_a_refusal_that_nobody_asked_for_is_a_dead_letter) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  ASSERT_TRUE(subject.tell<Fail>(Severity::refusal));
  stage.world.run();
  EXPECT_EQ(stage.world.events.dead_letters(), (Lines{"Fail refused"}));
  EXPECT_EQ(stage.world.counters().handled.value(), 1u);
  EXPECT_EQ(stage.world.counters().dead.value(), 0u);
}

TEST(Supervision, AR_26_a_failure_is_published_once_with_actor_message_sender_and_error) {
  struct Sender {
    Ref<Subject> to;
    void on(const Tick&) { (void)to.tell<Fail>(); }
  };
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  auto sender = stage.world.spawn<Sender>(subject);
  ASSERT_TRUE(sender.tell<Tick>());
  stage.world.run();
  const auto failed = stage.world.events.of(EventKind::failed);
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].actor, subject.cell());
  EXPECT_EQ(failed[0].actor_type, "Subject");
  EXPECT_EQ(failed[0].message, "Fail");
  EXPECT_EQ(failed[0].sender, sender.cell());
  EXPECT_EQ(failed[0].error, "asked to fail");
}

TEST(Supervision, AR_09_without_a_policy_a_failed_actor_stops_and_its_hook_hears_why) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  ASSERT_TRUE(subject.tell<Fail>());
  ASSERT_TRUE(subject.tell<Add>(1));
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1", "a fail", "a stopping failed: asked to fail", "a destroyed"}));
  EXPECT_EQ(stage.world.events.dead_letters(), (Lines{"Add stopped"}));
}

#if defined(__cpp_exceptions)
struct Thrower {
  int on(const Sum&) { throw std::runtime_error("thrown words"); }
  void on(const Add&) { throw 42; }
  void on(const Quit&) { throw Error{Code::invalid, "a thrown refusal"}; }
};
TEST(Supervision, AR_09_an_exception_is_a_failure_and_the_asker_gets_its_words) {
  World world;
  auto thrower = world.spawn(Props<Thrower>().on_failure(one_for_one()));
  auto& answer = world.ask(thrower.ask<Sum>());
  ASSERT_TRUE(thrower.tell<Add>(1));
  ASSERT_TRUE(thrower.tell<Quit>());
  world.run();
  EXPECT_EQ(answer.text(), "thrown words");
  EXPECT_EQ(world.events.count(EventKind::restarted), 3u);
}
#endif

TEST(Supervision, AR_10_the_restart_beyond_the_budget_stops_for_good) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"), one_for_one().at_most(2, 60s));
  auto watcher = stage.spawn(stage.script("watcher"));
  ASSERT_TRUE(watcher.tell<Look>(AnyRef(subject)));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(subject.tell<Fail>());
  stage.world.run();
  EXPECT_EQ(stage.world.events.count(EventKind::restarted), 2u);
  EXPECT_EQ(stage.world.events.stops(), (Lines{"Subject restarts_exhausted"}));
  EXPECT_EQ(stage.log().back(), "watcher terminated restarts_exhausted: asked to fail");
}

TEST(Supervision, SC_003_three_restarts_in_a_minute_the_fourth_stops_every_time) {
  for (int round = 0; round < 50; ++round) {
    Stage stage;
    auto subject = stage.spawn(stage.script("a"), one_for_one().at_most(3, 60s));
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(subject.tell<Fail>());
      stage.world.run_for(std::chrono::seconds(round % 20));
    }
    EXPECT_EQ(stage.world.events.stops(), (Lines{"Subject restarts_exhausted"})) << round;
  }
}

TEST(Supervision, AR_10_the_window_slides) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"), one_for_one().at_most(2, 60s));
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(subject.tell<Fail>());
    stage.world.run();
    stage.world.run_for(30s);
  }
  EXPECT_EQ(stage.world.events.count(EventKind::restarted), 10u);
  ASSERT_TRUE(subject.tell<Fail>());
  stage.world.run();
  stage.world.run_for(29999ms);
  ASSERT_TRUE(subject.tell<Fail>());
  stage.world.run();
  EXPECT_EQ(stage.world.events.stops(), (Lines{"Subject restarts_exhausted"}));
}

TEST(Supervision, AR_10_resume_is_free) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"), resume_on_error().at_most(1, 60s));
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(subject.tell<Fail>());
  stage.world.run();
  EXPECT_EQ(stage.world.events.count(EventKind::resumed), 20u);
}

TEST(Supervision, AR_10_a_budget_of_none_stops_at_once) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"), one_for_one().at_most(0, 60s));
  ASSERT_TRUE(subject.tell<Fail>());
  stage.world.run();
  EXPECT_EQ(stage.world.events.stops(), (Lines{"Subject restarts_exhausted"}));
}

struct Family {
  Stage stage;
  Script& mother;
  Ref<Subject> parent;
  explicit Family(const Policy& of_parent = {})
      : mother(stage.script("parent")), parent(stage.spawn(mother, of_parent)) {}
  Ref<Subject> bear(const std::string& name, const Policy& policy) {
    return stage.bear(parent, stage.script(name, policy));
  }
  void fail(const Ref<Subject>& who) {
    stage.forget();
    EXPECT_TRUE(who.tell<Fail>());
    stage.world.run();
  }
};

TEST(Supervision, AR_21_the_policy_in_a_childs_props_is_applied_by_its_parent_who_hears_of_it) {
  Family family;
  auto child = family.bear("child", one_for_one());
  family.fail(child);
  EXPECT_EQ(family.stage.log(), (Lines{"child fail", "parent child failed at Fail: restart",
                                       "child restarting: asked to fail", "child destroyed", "child started 1/1"}));
}

TEST(Supervision, AR_10_the_parent_hears_that_the_spent_budget_made_it_a_stop) {
  Family family;
  auto child = family.bear("child", one_for_one().at_most(0, 60s));
  family.fail(child);
  EXPECT_EQ(family.stage.log()[1], "parent child failed at Fail: stop");
}

TEST(Supervision, AR_21_a_failing_parent_decides_for_its_children_all_the_same) {
  Stage stage;
  Script& mother = stage.script("parent", {});
  auto parent = stage.spawn(mother);
  auto child = stage.bear(parent, stage.script("child", resume_on_error()));
  ASSERT_TRUE(parent.tell<Hold>());  // it waits in a turn
  stage.world.run();
  ASSERT_TRUE(child.tell<Fail>());
  ASSERT_TRUE(child.tell<Add>(1));
  stage.world.run();
  EXPECT_EQ(stage.log().back(), "child add 1");
  mother.open_gate();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"parent held", "parent child failed at Fail: resume"}));
}

TEST(Supervision, AR_09_all_for_one_really_restarts_the_siblings_whose_policy_says_so) {
  Family family;
  family.bear("bound", all_for_one());
  family.bear("free", one_for_one());
  auto failing = family.bear("failing", all_for_one());
  family.fail(failing);
  const Lines log = family.stage.log();
  EXPECT_EQ(std::count(log.begin(), log.end(), "bound started 1/1"), 1);
  EXPECT_EQ(std::count(log.begin(), log.end(), "failing started 1/1"), 1);
  EXPECT_EQ(std::count(log.begin(), log.end(), "bound restarting"), 1);
  for (const std::string& line : log) EXPECT_FALSE(line.starts_with("free")) << line;
}

TEST(Supervision, AR_10_a_group_restart_is_charged_to_every_member_and_one_spent_budget_stops_all) {
  Family family;
  family.bear("bound", all_for_one().at_most(1, 60s));
  auto failing = family.bear("failing", all_for_one().at_most(5, 60s));
  family.fail(failing);
  EXPECT_EQ(family.stage.world.events.count(EventKind::restarted), 2u);
  family.fail(failing);
  EXPECT_EQ(family.stage.world.events.count(EventKind::restarted), 2u);
  Lines stops = family.stage.world.events.stops();
  std::sort(stops.begin(), stops.end());
  EXPECT_EQ(stops, (Lines{"Subject restarts_exhausted", "Subject sibling_failed"}));
}

TEST(Supervision, AR_09_all_for_one_with_stop_stops_the_group) {
  Family family;
  family.bear("bound", all_for_one(Directive::stop));
  family.bear("free", one_for_one());
  auto failing = family.bear("failing", all_for_one(Directive::stop));
  family.fail(failing);
  Lines stops = family.stage.world.events.stops();
  std::sort(stops.begin(), stops.end());
  EXPECT_EQ(stops, (Lines{"Subject failed", "Subject sibling_failed"}));
}

TEST(Supervision, AR_09_all_for_one_with_resume_concerns_the_failed_one_alone) {
  Family family;
  family.bear("bound", all_for_one(Directive::resume));
  auto failing = family.bear("failing", all_for_one(Directive::resume));
  family.fail(failing);
  EXPECT_EQ(family.stage.log(), (Lines{"failing fail", "parent child failed at Fail: resume"}));
}

TEST(Supervision, AR_21_escalate_stops_the_child_and_fails_the_parent_with_that_cause) {
  Family family(one_for_one());
  auto child = family.bear("child", one_for_one(Directive::escalate));
  family.fail(child);
  EXPECT_EQ(family.stage.world.events.stops(), (Lines{"Subject escalated"}));
  const Lines log = family.stage.log();
  EXPECT_EQ(log, (Lines{"child fail", "child stopping escalated: asked to fail", "child destroyed",
                        "parent restarting: asked to fail", "parent destroyed", "parent started 1/1"}));
}

TEST(Supervision, AR_21_escalation_at_a_root_stops_it) {
  Stage stage;
  auto root = stage.spawn(stage.script("root"), one_for_one(Directive::escalate));
  ASSERT_TRUE(root.tell<Fail>());
  stage.world.run();
  EXPECT_EQ(stage.world.events.stops(), (Lines{"Subject escalated"}));
}

TEST(Supervision, AR_21_escalation_climbs_until_somebody_decides) {
  Stage stage;
  auto root = stage.spawn(stage.script("root"), one_for_one());
  auto middle = stage.bear(root, stage.script("middle", one_for_one(Directive::escalate)));
  auto leaf = stage.bear(middle, stage.script("leaf", one_for_one(Directive::escalate)));
  stage.forget();
  ASSERT_TRUE(leaf.tell<Fail>());
  stage.world.run();
  EXPECT_EQ(stage.world.events.stops(), (Lines{"Subject escalated", "Subject escalated"}));
  EXPECT_EQ(stage.log().back(), "root started 1/1");
}

TEST(Supervision, AR_21_a_parent_that_fails_twice_keeps_its_first_cause) {
  Family family(one_for_one(Directive::stop));
  auto one = family.bear("one", one_for_one(Directive::escalate));
  auto two = family.bear("two", one_for_one(Directive::escalate));
  family.stage.forget();
  ASSERT_TRUE(one.tell<Fail>());
  ASSERT_TRUE(two.tell<Fail>());
  family.stage.world.run();
  EXPECT_EQ(family.stage.world.events.count(EventKind::stopped), 3u);
  EXPECT_EQ(family.stage.log().back(), "parent destroyed");
}

}  // namespace
}  // namespace troupe
