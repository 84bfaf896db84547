// What survives: resume, restart in place, restart (the table of docs/explanation/life.md).
#include <troupe/core/life.hpp>
#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

constexpr Policy restarts = one_for_one(Directive::restart);
constexpr Policy in_place = one_for_one(Directive::restart_in_place);
constexpr Policy resumes = resume_on_error();

TEST(Restart, AR_09_restart_makes_a_new_instance_under_the_same_reference) {
  Stage stage;
  Script& script = stage.script("a");
  auto subject = stage.spawn(script, restarts);
  ASSERT_TRUE(subject.tell<Add>(5));
  ASSERT_TRUE(subject.tell<Fail>());
  ASSERT_TRUE(subject.tell<Add>(1));
  auto& sum = stage.world.ask(subject.ask<Sum>());
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1", "a add 5", "a fail", "a restarting: asked to fail", "a destroyed",
                                "a started 1/1", "a add 1"}));
  EXPECT_EQ(sum.value(), 1);
  EXPECT_EQ(script.made, 2);
  const auto restarted = stage.world.events.of(EventKind::restarted);
  ASSERT_EQ(restarted.size(), 1u);
  EXPECT_EQ(restarted[0].number, 1u);
}

TEST(Restart, AR_09_restart_in_place_keeps_the_instance_and_runs_the_hooks) {
  Stage stage;
  Script& script = stage.script("a");
  auto subject = stage.spawn(script, in_place);
  ASSERT_TRUE(subject.tell<Add>(5));
  ASSERT_TRUE(subject.tell<Fail>());
  auto& sum = stage.world.ask(subject.ask<Sum>());
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1", "a add 5", "a fail", "a restarting: asked to fail", "a started 1/1"}));
  EXPECT_EQ(sum.value(), 5);
  EXPECT_EQ(script.made, 1);
}

TEST(Restart, AR_09_resume_goes_on_as_if_nothing_had_happened) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"), resumes);
  ASSERT_TRUE(subject.tell<Add>(5));
  ASSERT_TRUE(subject.tell<Fail>());
  auto& sum = stage.world.ask(subject.ask<Sum>());
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1", "a add 5", "a fail"}));
  EXPECT_EQ(sum.value(), 5);
  EXPECT_EQ(stage.world.events.count(EventKind::resumed), 1u);
}

TEST(Restart, AR_09_without_an_overload_for_restarting_the_stop_hook_runs_and_says_so) {
  struct Plain {
    Script* script;
    void on(const Stopping& stopping) { script->write(stopping.restarting ? "restarting" : "stopping"); }
    Result<void> on(const Fail&) { return Error{Code::failed}; }
  };
  Stage stage;
  auto plain = stage.world.spawn(Props<Plain>(&stage.script("a")).on_failure(restarts));
  ASSERT_TRUE(plain.tell<Fail>());
  stage.world.run();
  plain.stop();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a restarting", "a stopping"}));
}

struct Survivors {
  Lines log;          // from the failure on
  std::string later;  // what a kept reply heard
  std::string held;   // what the asker of an open turn heard
  Lines dead;
};

// One actor with all that the table names, and a failure.
Survivors fail_with_everything(const Policy& policy) {
  Stage stage;
  Script& script = stage.script("a");
  auto other = stage.spawn(stage.script("other"));
  auto subject = stage.world.spawn(Props<Subject>(&script).on_failure(policy).reentrant(4));
  stage.world.run();
  stage.bear(subject, stage.script("child"));
  (void)subject.tell<Arm>(5s);
  (void)subject.tell<Look>(AnyRef(other));
  (void)subject.tell<Aside>();
  auto& later = stage.world.ask(subject.ask<Later>().within(1h));
  auto& held = stage.world.ask(subject.ask<Hold>());
  stage.world.run();
  stage.forget();
  (void)subject.tell<Fail>();
  (void)subject.tell<Unstash>();
  stage.world.run();
  stage.world.run_for(6s);
  (void)subject.tell<Now>(7);
  script.open_gate();
  stage.world.run();
  other.stop();
  stage.world.run();
  Survivors survivors{.log = stage.log(),
                      .later = later.came() ? later.code() : "waits",
                      .held = held.came() ? held.code() : "waits",
                      .dead = stage.world.events.dead_letters()};
  return survivors;
}

TEST(Restart, AR_09_what_survives_a_resume) {
  const Survivors left = fail_with_everything(resumes);
  EXPECT_EQ(left.log, (Lines{"a fail", "a aside", "a tick", "a held", "other stopping requested", "other destroyed",
                             "a terminated requested"}));
  EXPECT_EQ(left.later, "none");
  EXPECT_EQ(left.held, "none");
  EXPECT_EQ(left.dead, Lines{});
}

TEST(Restart, AR_09_what_survives_a_restart_in_place) {
  const Survivors left = fail_with_everything(in_place);
  EXPECT_EQ(left.log,
            (Lines{"a fail", "child stopping parent_stopped", "child destroyed", "a restarting: asked to fail",
                   "a started 1/1", "a aside", "other stopping requested", "other destroyed"}));
  EXPECT_EQ(left.later, "none");
  EXPECT_EQ(left.held, "stopped");
  EXPECT_EQ(left.dead, Lines{});
}

TEST(Restart, AR_09_what_survives_a_restart) {
  const Survivors left = fail_with_everything(restarts);
  EXPECT_EQ(left.log,
            (Lines{"a fail", "child stopping parent_stopped", "child destroyed", "a restarting: asked to fail",
                   "a destroyed", "a started 1/1", "other stopping requested", "other destroyed"}));
  EXPECT_EQ(left.later, "dropped");
  EXPECT_EQ(left.held, "stopped");
  EXPECT_EQ(left.dead, (Lines{"Aside restarted"}));
}

TEST(Restart, AR_09_a_queued_message_keeps_its_slot_through_a_restart) {
  Stage stage;
  auto subject = stage.world.spawn(Props<Subject>(&stage.script("a")).on_failure(restarts).mailbox(bounded(2)));
  stage.world.run();
  ASSERT_TRUE(subject.tell<Fail>());
  ASSERT_TRUE(subject.tell<Add>(1));
  while (stage.world.events.count(EventKind::failed) == 0) ASSERT_TRUE(stage.world.step());
  EXPECT_EQ(life_of(subject), Life::failed);
  ASSERT_TRUE(subject.tell<Add>(2));
  EXPECT_EQ(subject.tell<Add>(3).fate(), Fate::full);
  stage.world.run();
  EXPECT_EQ(stage.log().back(), "a add 2");
}

TEST(Restart, AR_09_the_failed_message_is_not_redelivered_and_its_asker_gets_the_error) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"), restarts);
  auto& answer = stage.world.ask(subject.ask<Fail>());
  stage.world.run();
  EXPECT_EQ(answer.code(), "failed");
  EXPECT_EQ(answer.text(), "asked to fail");
  EXPECT_EQ(stage.world.counters().handled.value(), 1u);
}

struct Flaky {
  Script* script;
  int* failures;
  Result<int> on(const Sum&) {
    script->write("sum");
    if (*failures == 0) return 42;
    --*failures;
    return Error{Code::failed, "flaky"};
  }
  void on(const Add& add) { script->write("add " + std::to_string(add.number)); }
};

TEST(Restart, AR_09_a_redelivering_policy_sends_the_failed_message_again_in_front) {
  int failures = 2;
  Stage stage;
  auto flaky = stage.world.spawn(Props<Flaky>(&stage.script("a"), &failures).on_failure(restarts.redelivering()));
  auto& answer = stage.world.ask(flaky.ask<Sum>());
  ASSERT_TRUE(flaky.tell<Add>(1));
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a sum", "a sum", "a sum", "a add 1"}));
  EXPECT_EQ(answer.code(), "failed") << "the asker was told of the first failure";
  EXPECT_EQ(stage.world.counters().sent.value(), 4u) << "a redelivery is sent again";
  EXPECT_EQ(stage.world.counters().handled.value(), 4u);
}

Directive first_resume_then_restart(const Error& error, std::string_view) {
  return error.text() == "resume" ? Directive::resume : Directive::restart;
}

struct Moody {
  Script* script;
  bool* well;
  Result<void> on(const Add& add) {
    script->write("add " + std::to_string(add.number));
    if (add.number == 1) return Error{Code::failed, "resume"};
    if (add.number == 2 && !std::exchange(*well, true)) return Error{Code::failed, "restart"};
    return {};
  }
};

TEST(Restart, AR_09_a_message_that_failed_before_a_resume_is_not_redelivered_by_a_later_restart) {
  bool well = false;
  Stage stage;
  auto moody = stage.world.spawn(Props<Moody>(&stage.script("a"), &well)
                                     .on_failure(restarts.decided_by(first_resume_then_restart).redelivering()));
  ASSERT_TRUE(moody.tell<Add>(1));
  ASSERT_TRUE(moody.tell<Add>(2));
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a add 1", "a add 2", "a add 2"}));
}

TEST(Restart, AR_09_a_message_that_its_handler_consumed_is_not_redelivered) {
  struct Parcel {
    std::string words;
  };
  struct Eater {
    Script* script;
    Result<void> on(Parcel&& parcel) {
      const Parcel eaten = std::move(parcel);
      script->write(eaten.words);
      return Error{Code::failed, "sick"};
    }
  };
  Stage stage;
  auto eater = stage.world.spawn(Props<Eater>(&stage.script("a")).on_failure(restarts.redelivering()));
  ASSERT_TRUE(eater.tell<Parcel>("a long text that would be moved out of the message"));
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a a long text that would be moved out of the message"}));
}

TEST(Restart, AR_25_a_turn_that_waits_while_its_actor_is_failed_goes_on_at_resume) {
  Stage stage;
  Script& script = stage.script("a");
  auto subject = stage.world.spawn(Props<Subject>(&script).on_failure(resumes).reentrant(2));
  ASSERT_TRUE(subject.tell<Hold>());
  stage.world.run();
  ASSERT_TRUE(subject.tell<Fail>());
  while (stage.world.events.count(EventKind::failed) == 0) ASSERT_TRUE(stage.world.step());
  script.open_gate();  // the value comes to a failed actor
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1", "a hold", "a fail"}));
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a held"}));
}

TEST(Restart, AR_23_an_error_that_was_overcome_is_not_blamed_for_a_later_end) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"), resumes);
  auto watcher = stage.spawn(stage.script("watcher"));
  ASSERT_TRUE(watcher.tell<Look>(AnyRef(subject)));
  ASSERT_TRUE(subject.tell<Fail>());
  stage.world.run();
  stage.forget();
  subject.stop();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a stopping requested", "a destroyed", "watcher terminated requested"}));
}

TEST(Restart, AR_11_a_stop_during_the_restarting_hook_adds_no_second_hook) {
  Stage stage;
  Script& script = stage.script("a");
  script.hold_end = true;
  auto subject = stage.spawn(script, restarts);
  ASSERT_TRUE(subject.tell<Fail>());
  stage.world.run();
  ASSERT_TRUE(subject.tell<Add>(1)) << "a restart keeps the queue";
  stage.world.run();
  subject.stop();
  stage.world.run();
  EXPECT_EQ(stage.world.events.dead_letters(), (Lines{"Add stopped"}));
  script.open_gate();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1", "a fail", "a restarting: asked to fail", "a let go", "a destroyed"}));
}

TEST(Restart, FR_014_a_suspend_during_the_restarting_hook_holds_for_the_new_instance) {
  Stage stage;
  Script& script = stage.script("a");
  script.hold_end = true;
  auto subject = stage.spawn(script, restarts);
  ASSERT_TRUE(subject.tell<Fail>());
  stage.world.run();
  subject.suspend();
  ASSERT_TRUE(subject.tell<Add>(1));
  stage.world.run();
  script.open_gate();
  stage.world.run();
  EXPECT_EQ(stage.log().back(), "a started 1/1");
  subject.resume();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a add 1"}));
}

TEST(Restart, FR_014_a_resume_during_the_restarting_hook_is_not_lost) {
  Stage stage;
  Script& script = stage.script("a");
  script.hold_end = true;
  auto subject = stage.spawn(script, restarts);
  ASSERT_TRUE(subject.tell<Fail>());
  ASSERT_TRUE(subject.tell<Add>(1));
  while (stage.world.events.count(EventKind::failed) == 0) ASSERT_TRUE(stage.world.step());
  subject.suspend();
  stage.world.run();
  subject.resume();
  stage.world.run();
  script.open_gate();
  stage.world.run();
  EXPECT_EQ(stage.log().back(), "a add 1");
}

TEST(Restart, AR_16_a_drain_during_the_restarting_hook_is_not_lost) {
  Stage stage;
  Script& script = stage.script("a");
  script.hold_end = true;
  auto subject = stage.spawn(script, restarts);
  ASSERT_TRUE(subject.tell<Fail>());
  stage.world.run();
  subject.drain();
  stage.world.run();
  EXPECT_EQ(subject.tell<Add>(1).fate(), Fate::stopped);
  script.hold_end = false;
  script.open_gate();
  stage.world.run();
  EXPECT_EQ(stage.world.events.stops(), (Lines{"Subject requested"}));
}

TEST(Restart, AR_09_children_end_before_the_new_instance_is_made) {
  Stage stage;
  Script& script = stage.script("a");
  Script& slow = stage.script("child");
  slow.hold_end = true;
  auto subject = stage.spawn(script, restarts);
  stage.world.run();
  stage.bear(subject, slow);
  ASSERT_TRUE(subject.tell<Fail>());
  stage.world.run();
  EXPECT_EQ(script.made, 1);
  slow.open_gate();
  stage.world.run();
  EXPECT_EQ(script.made, 2);
}

}  // namespace
}  // namespace troupe
