// Starting: hooks, failed starts, the start policy, and actors that gave up.
#include <stdexcept>

#include <troupe/core/life.hpp>
#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

StartAction at_once(const StartFailure&) { return start_again(); }

TEST(StartPolicy, AR_08_the_preset_waits_five_seconds_more_each_time) {
  const Error error{Code::failed};
  const StartPolicy policy = retry_start();
  EXPECT_EQ(policy.decide({.attempt = 1, .error = error, .elapsed = 0s}).delay, 5s);
  EXPECT_EQ(policy.decide({.attempt = 9, .error = error, .elapsed = 60s}).delay, 45s);
}
TEST(StartPolicy, AR_08_the_preset_gives_up_after_ten_attempts_ten_minutes_or_a_fatal_error) {
  const Error error{Code::failed};
  const Error fatal = Error{Code::failed}.with(Severity::fatal);
  const StartPolicy policy = retry_start();
  EXPECT_EQ(policy.decide({.attempt = 10, .error = error, .elapsed = 0s}).kind, StartAction::Kind::give_up);
  EXPECT_EQ(policy.decide({.attempt = 2, .error = error, .elapsed = 10min}).kind, StartAction::Kind::give_up);
  EXPECT_EQ(policy.decide({.attempt = 1, .error = fatal, .elapsed = 0s}).kind, StartAction::Kind::give_up);
  EXPECT_FALSE(StartPolicy().present());
}

struct Nursery {
  Stage stage;
  Script& script;
  Ref<Subject> subject;
  Nursery(int failing, const StartPolicy& policy, Severity severity = Severity::failure) : script(stage.script("a")) {
    script.failing_starts = failing;
    script.start_severity = severity;
    subject = stage.world.spawn(Props<Subject>(&script).on_start_failure(policy));
  }
};

TEST(Start, AR_07_a_message_sent_before_the_start_finished_waits_in_the_mailbox) {
  Stage stage;
  Script& script = stage.script("a");
  script.hold_start = true;
  auto subject = stage.spawn(script);
  ASSERT_TRUE(subject.tell<Add>(1));
  stage.world.run();
  ASSERT_TRUE(subject.tell_high<Add>(2));
  stage.world.run_for(60s);
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1"}));
  script.open_gate();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a add 2", "a add 1"}));
}

TEST(Start, AR_07_the_factory_runs_in_the_actors_first_turn) {
  Stage stage;
  Script& script = stage.script("a");
  stage.spawn(script);
  EXPECT_EQ(script.made, 0);
  stage.world.run();
  EXPECT_EQ(script.made, 1);
}

TEST(Start, AR_07_a_stop_before_the_first_turn_makes_no_instance) {
  Stage stage;
  Script& script = stage.script("a");
  auto subject = stage.spawn(script);
  subject.stop();
  stage.world.run();
  EXPECT_EQ(script.made, 0);
  EXPECT_EQ(stage.world.events.stops(), (Lines{"Subject requested"}));
}

TEST(Start, AR_07_a_stop_while_started_waits_runs_no_stop_hook) {
  Stage stage;
  Script& script = stage.script("a");
  script.hold_start = true;
  auto subject = stage.spawn(script);
  stage.world.run();
  stage.world.check_law();
  subject.stop();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1", "a destroyed"}));
}

TEST(Start, AR_08_without_a_start_policy_a_failed_start_goes_to_supervision) {
  Stage stage;
  Script& script = stage.script("a");
  script.failing_starts = 2;
  auto subject = stage.spawn(script, one_for_one());
  ASSERT_TRUE(subject.tell<Add>(1));
  stage.world.run();
  EXPECT_EQ(stage.log(),
            (Lines{"a started 0/1", "a destroyed", "a started 1/1", "a destroyed", "a started 2/1", "a add 1"}));
}

TEST(Start, AR_08_a_resume_of_a_failed_start_counts_as_stop) {
  Stage stage;
  Script& script = stage.script("a");
  script.failing_starts = 1;
  stage.spawn(script, resume_on_error());
  stage.world.run();
  EXPECT_EQ(stage.world.events.stops(), (Lines{"Subject failed"}));
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1", "a destroyed"})) << "its Started never finished: no stop hook";
}

TEST(Start, AR_08_retry_now_makes_a_new_instance_with_the_attempts_number) {
  Nursery nursery(2, StartPolicy(at_once));
  ASSERT_TRUE(nursery.subject.tell<Add>(1));
  nursery.stage.world.run();
  EXPECT_EQ(nursery.stage.log(),
            (Lines{"a started 0/1", "a destroyed", "a started 0/2", "a destroyed", "a started 0/3", "a add 1"}));
  EXPECT_EQ(nursery.stage.world.events.count(EventKind::start_failed), 2u);
}

TEST(Start, AR_08_retry_with_delay_waits_and_mail_waits_too) {
  Nursery nursery(2, retry_start());
  nursery.stage.world.run();
  ASSERT_TRUE(nursery.subject.tell<Add>(1));
  EXPECT_EQ(life_of(nursery.subject), Life::waiting);
  nursery.stage.world.run_for(4999ms);
  EXPECT_EQ(nursery.script.made, 1);
  nursery.stage.world.run_for(1ms);
  EXPECT_EQ(nursery.script.made, 2);
  nursery.stage.world.run_for(9999ms);
  EXPECT_EQ(nursery.script.made, 2);
  nursery.stage.world.run_for(1ms);
  EXPECT_EQ(nursery.stage.log().back(), "a add 1");
}

TEST(Start, AR_08_after_so_many_attempts_it_gives_up_and_its_queue_dies) {
  Nursery nursery(99, StartPolicy(at_once).at_most(3, 1h));
  ASSERT_TRUE(nursery.subject.tell<Add>(1));
  auto& answer = nursery.stage.world.ask(nursery.subject.ask<Sum>());
  nursery.stage.world.run();
  EXPECT_EQ(nursery.script.made, 3);
  EXPECT_EQ(life_of(nursery.subject), Life::unstarted);
  EXPECT_EQ(nursery.stage.world.events.dead_letters(), (Lines{"Add start_failed", "Sum start_failed"}));
  EXPECT_EQ(nursery.stage.world.events.count(EventKind::unstarted), 1u);
  EXPECT_EQ(nursery.stage.world.events.count(EventKind::stopped), 0u);
  EXPECT_EQ(answer.code(), "not_started");
  EXPECT_NE(answer.text().find("cannot start"), std::string::npos) << "the reason: " << answer.text();
}

TEST(Start, AR_08_the_wall_clock_caps_the_attempts) {
  Nursery nursery(99, retry_start().at_most(1000, 30s));
  nursery.stage.world.run_for(1h);
  EXPECT_EQ(nursery.script.made, 4) << "at 0, 5, 15 and 30 seconds";
  EXPECT_EQ(life_of(nursery.subject), Life::unstarted);
}

TEST(Start, AR_08_an_unrecoverable_error_gives_up_at_once) {
  Nursery nursery(1, retry_start(), Severity::fatal);
  nursery.stage.world.run();
  EXPECT_EQ(life_of(nursery.subject), Life::unstarted);
}

TEST(Start, AR_08_an_unstarted_actor_answers_every_message_with_the_reason) {
  Nursery nursery(1, retry_start(), Severity::fatal);
  nursery.stage.world.run();
  const Receipt receipt = nursery.subject.tell<Add>(1);
  EXPECT_EQ(receipt.fate(), Fate::not_started);
  EXPECT_EQ(receipt.detail(), "cannot start");
  auto& answer = nursery.stage.world.ask(nursery.subject.ask<Sum>());
  EXPECT_EQ(answer.code(), "not_started");
  EXPECT_EQ(answer.text(), "cannot start");
  EXPECT_EQ(nursery.stage.world.events.dead_letters(), (Lines{"Add not_started", "Sum not_started"}));
}

TEST(Start, AR_08_an_unstarted_actor_starts_again_when_told_and_counts_from_one) {
  Nursery nursery(1, retry_start(), Severity::fatal);
  nursery.stage.world.run();
  nursery.stage.forget();
  nursery.subject.start_again();
  nursery.stage.world.run();
  ASSERT_TRUE(nursery.subject.tell<Add>(1));
  nursery.stage.world.run();
  EXPECT_EQ(nursery.stage.log(), (Lines{"a started 0/1", "a add 1"}));
}

TEST(Start, AR_08_start_again_ends_the_wait_for_a_retry) {
  Nursery nursery(1, retry_start());
  nursery.stage.world.run();
  EXPECT_EQ(life_of(nursery.subject), Life::waiting);
  nursery.subject.start_again();
  nursery.stage.world.run();
  EXPECT_EQ(life_of(nursery.subject), Life::running);
  nursery.stage.world.run_for(1h);
  EXPECT_EQ(nursery.script.made, 2);
}

TEST(Start, AR_08_start_again_is_ignored_by_an_actor_that_runs) {
  Nursery nursery(0, retry_start());
  nursery.stage.world.run();
  nursery.subject.start_again();
  nursery.stage.world.run();
  EXPECT_EQ(nursery.script.made, 1);
}

TEST(Start, AR_08_an_unstarted_actor_keeps_its_watchers_and_tells_them_when_it_stops) {
  Nursery nursery(1, retry_start(), Severity::fatal);
  auto watcher = nursery.stage.spawn(nursery.stage.script("watcher"));
  ASSERT_TRUE(watcher.tell<Look>(AnyRef(nursery.subject)));
  nursery.stage.world.run();
  nursery.stage.forget();
  nursery.stage.world.run_for(1h);
  EXPECT_EQ(nursery.stage.log(), Lines{});
  nursery.subject.stop();
  nursery.stage.world.run();
  EXPECT_EQ(nursery.stage.log(), (Lines{"watcher terminated requested: cannot start"}));
}

TEST(Start, AR_08_a_stop_ends_an_actor_that_waits_to_retry) {
  Nursery nursery(99, retry_start());
  nursery.stage.world.run();
  ASSERT_TRUE(nursery.subject.tell<Add>(1));
  nursery.subject.stop();
  nursery.stage.world.run();
  EXPECT_EQ(nursery.stage.world.events.stops(), (Lines{"Subject requested"}));
  EXPECT_EQ(nursery.stage.world.events.dead_letters(), (Lines{"Add stopped"}));
  nursery.stage.world.run_for(1h);
  EXPECT_EQ(nursery.script.made, 1);
}

TEST(Start, AR_08_start_retries_are_not_charged_to_the_restart_budget) {
  Stage stage;
  Script& script = stage.script("a");
  script.failing_starts = 3;
  auto subject = stage.world.spawn(
      Props<Subject>(&script).on_failure(one_for_one().at_most(1, 1h)).on_start_failure(StartPolicy(at_once)));
  stage.world.run();
  ASSERT_TRUE(subject.tell<Fail>());
  stage.world.run();
  EXPECT_EQ(stage.log().back(), "a started 1/1");
}

TEST(Start, AR_09_a_group_restart_moves_only_the_number_of_a_sibling_that_waits_or_gave_up) {
  struct Parent {
    Script* waits;
    Script* fails;
    Ref<Subject>* failing;
    void on(const Started&, Context& context) {
      (void)context.spawn(Props<Subject>(waits).on_failure(all_for_one()).on_start_failure(retry_start()));
      auto child = context.spawn(Props<Subject>(fails).on_failure(all_for_one()));
      if (child.has_value()) *failing = *child;
    }
  };
  Ref<Subject> failing;
  Stage stage;
  Script& waits = stage.script("waits");
  waits.failing_starts = 1;
  stage.world.spawn<Parent>(&waits, &stage.script("fails"), &failing);
  stage.world.run();
  ASSERT_TRUE(failing.tell<Fail>());
  stage.world.run();
  EXPECT_EQ(waits.made, 1);
  stage.forget();
  stage.world.run_for(5s);
  EXPECT_EQ(stage.log(), (Lines{"waits started 1/2"}));
}

#if defined(__cpp_exceptions)
TEST(Start, AR_08_a_throwing_constructor_is_a_failed_start) {
  struct Fragile {
    explicit Fragile(int* failures) {
      if ((*failures)-- > 0) throw std::runtime_error("broken at birth");
    }
    void on(const Add&) {}
  };
  int failures = 2;
  World world;
  auto fragile = world.spawn(Props<Fragile>(&failures).on_start_failure(StartPolicy(at_once)));
  world.run();
  EXPECT_TRUE(fragile.tell<Add>(1));
  const auto failed = world.events.of(EventKind::start_failed);
  ASSERT_EQ(failed.size(), 2u);
  EXPECT_EQ(failed[1].error, "broken at birth");
  EXPECT_EQ(failed[1].number, 2u);
}
#endif

}  // namespace
}  // namespace troupe
