// How an actor ends: the order of stopping, its hook, its mail, and what others hear.
#include <troupe/core/life.hpp>
#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

TEST(Stop, AR_07_hooks_run_before_the_first_and_after_the_last_message) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  ASSERT_TRUE(subject.tell<Add>(1));
  ASSERT_TRUE(subject.tell<Quit>());
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1", "a add 1", "a stopping requested", "a destroyed"}));
  EXPECT_EQ(stage.world.events.stops(), (Lines{"Subject requested"}));
}

TEST(Stop, AR_11_every_queued_message_becomes_a_dead_letter_and_asks_are_answered_stopped) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  stage.world.run();
  ASSERT_TRUE(subject.tell<Add>(1));
  ASSERT_TRUE(subject.tell_high<Add>(2));
  auto& answer = stage.world.ask(subject.ask<Sum>());
  subject.stop();
  stage.world.run();
  EXPECT_EQ(stage.world.events.dead_letters(), (Lines{"Add stopped", "Add stopped", "Sum stopped"}));
  EXPECT_EQ(answer.code(), "stopped");
  EXPECT_NE(answer.text().find("Subject"), std::string::npos) << answer.text();
}

// What it had taken before, too: the queue stands ready while the children end, and the turn that held it up is gone.
TEST(Stop, AR_11_nothing_that_was_queued_is_handled_while_the_children_end) {
  Stage stage;
  Script& script = stage.script("a");
  Script& slow = stage.script("child");
  slow.hold_end = true;
  auto subject = stage.spawn(script);
  stage.bear(subject, slow);
  ASSERT_TRUE(subject.tell<Hold>());
  stage.world.run();
  ASSERT_TRUE(subject.tell<Add>(1));
  ASSERT_TRUE(subject.tell_high<Add>(2));
  stage.world.run();
  stage.forget();
  subject.stop();
  stage.world.run();
  EXPECT_EQ(life_of(subject), Life::ending);
  EXPECT_EQ(stage.log(), (Lines{"child stopping parent_stopped"}));
  EXPECT_EQ(stage.world.events.dead_letters(), (Lines{"Add stopped", "Add stopped"}));
}

TEST(Stop, AR_18_a_dead_letter_carries_sender_receiver_message_type_and_reason) {
  struct Sender {
    Ref<Subject> to;
    void on(const Tick&) { (void)to.tell<Add>(1); }
  };
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  auto sender = stage.world.spawn<Sender>(subject);
  ASSERT_TRUE(sender.tell<Tick>());
  subject.suspend();
  stage.world.run();
  subject.stop();
  stage.world.run();
  const auto letters = stage.world.events.of(EventKind::dead_letter);
  ASSERT_EQ(letters.size(), 1u);
  EXPECT_EQ(letters[0].sender, sender.cell());
  EXPECT_EQ(letters[0].actor, subject.cell());
  EXPECT_EQ(letters[0].actor_type, "Subject");
  EXPECT_EQ(letters[0].message, "Add");
  EXPECT_EQ(letters[0].reason, DeadReason::stopped);
}

TEST(Stop, AR_11_children_stop_first_then_the_actors_own_hook) {
  Stage stage;
  auto parent = stage.spawn(stage.script("parent"));
  auto child = stage.bear(parent, stage.script("child"));
  stage.bear(child, stage.script("grandchild"));
  stage.forget();
  parent.stop();
  stage.world.run();
  EXPECT_EQ(stage.log(),
            (Lines{"grandchild stopping parent_stopped", "grandchild destroyed", "child stopping parent_stopped",
                   "child destroyed", "parent stopping requested", "parent destroyed"}));
}

TEST(Stop, AR_11_intake_closes_before_the_children_have_ended) {
  Stage stage;
  auto parent = stage.spawn(stage.script("parent"));
  Script& slow = stage.script("child");
  slow.hold_end = true;
  stage.bear(parent, slow);
  parent.stop();
  stage.world.run();
  EXPECT_EQ(life_of(parent), Life::ending);
  EXPECT_EQ(parent.tell<Add>(1).fate(), Fate::stopped);
  EXPECT_EQ(parent.tell_high<Add>(1).fate(), Fate::stopped);
  slow.open_gate();
  stage.world.run();
  EXPECT_EQ(stage.log().back(), "parent destroyed");
}

TEST(Stop, AR_07_a_stop_hook_may_wait_and_replies_still_reach_it) {
  struct Asker {
    Script* script;
    Ref<Subject> whom;
    Task<void> on(const Stopping&) {
      auto sum = co_await whom.ask<Sum>();
      script->write("sum " + std::to_string(sum));
    }
  };
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  Script& script = stage.script("asker");
  auto asker = stage.world.spawn<Asker>(&script, subject);
  stage.world.run();
  stage.forget();
  asker.stop();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"asker sum 0"}));
  EXPECT_EQ(stage.world.events.stops(), (Lines{"Asker requested"}));
}

TEST(Stop, AR_07_a_failing_stop_hook_is_an_event_and_not_supervised) {
  Stage stage;
  Script& script = stage.script("a");
  script.failing_end = true;
  auto subject = stage.spawn(script, one_for_one());
  stage.world.run();
  subject.stop();
  stage.world.run();
  const auto failed = stage.world.events.of(EventKind::stop_hook_failed);
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].error, "cannot end");
  EXPECT_EQ(stage.world.events.count(EventKind::failed), 0u);
  EXPECT_EQ(stage.world.events.stops(), (Lines{"Subject requested"}));
}

TEST(Stop, AR_11_a_stop_hook_is_cut_short_after_stop_within) {
  Stage stage;
  Script& script = stage.script("a");
  script.hold_end = true;
  auto subject = stage.world.spawn(Props<Subject>(&script).stop_within(3s));
  stage.world.run();
  subject.stop();
  stage.world.run_for(2999ms);
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1", "a stopping requested"}));
  stage.world.run_for(1ms);
  EXPECT_EQ(stage.log(), (Lines{"a destroyed"}));
  EXPECT_EQ(stage.world.events.count(EventKind::stop_hook_failed), 1u);
  EXPECT_EQ(stage.world.events.count(EventKind::stopped), 1u);
}

TEST(Stop, AR_11_without_a_word_a_stop_hook_has_ten_seconds) {
  Stage stage;
  Script& script = stage.script("a");
  script.hold_end = true;
  auto subject = stage.spawn(script);
  stage.world.run();
  subject.stop();
  stage.world.run_for(9999ms);
  EXPECT_EQ(stage.world.events.count(EventKind::stopped), 0u);
  stage.world.run_for(1ms);
  EXPECT_EQ(stage.world.events.count(EventKind::stopped), 1u);
}

TEST(Stop, AR_11_force_waits_for_no_hook_of_the_actor_or_its_children) {
  Stage stage;
  Script& mother = stage.script("parent");
  Script& slow = stage.script("child");
  mother.hold_end = slow.hold_end = true;
  auto parent = stage.spawn(mother);
  stage.bear(parent, slow);
  stage.forget();
  parent.force_stop();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"child stopping parent_stopped forced", "child destroyed",
                                "parent stopping requested forced", "parent destroyed"}));
}

TEST(Stop, AR_11_force_cuts_short_a_stop_that_is_under_way_and_reaches_the_children) {
  Stage stage;
  auto parent = stage.spawn(stage.script("parent"));
  Script& slow = stage.script("child");
  slow.hold_end = true;
  stage.bear(parent, slow);
  parent.stop();
  stage.world.run();
  stage.forget();
  parent.force_stop();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"child destroyed", "parent stopping requested forced", "parent destroyed"}));
}

TEST(Stop, AR_23_the_first_reason_stands) {
  Stage stage;
  auto parent = stage.spawn(stage.script("parent"));
  Script& slow = stage.script("child");
  slow.hold_end = true;
  auto child = stage.bear(parent, slow);
  child.stop();
  stage.world.run();
  parent.stop();
  stage.world.run();
  slow.open_gate();
  stage.world.run();
  EXPECT_EQ(stage.world.events.stops(), (Lines{"Subject requested", "Subject requested"}));
}

TEST(Stop, AR_11_a_turn_that_waits_is_destroyed_and_who_asked_hears_stopped) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  auto& answer = stage.world.ask(subject.ask<Hold>());
  stage.world.run();
  EXPECT_FALSE(answer.came());
  subject.stop();
  stage.world.run();
  EXPECT_EQ(answer.code(), "stopped");
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1", "a hold", "a stopping requested", "a destroyed"}));
}

TEST(Stop, AR_11_the_stash_and_the_kept_reply_go_with_the_actor) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  ASSERT_TRUE(subject.tell<Aside>());
  auto& answer = stage.world.ask(subject.ask<Later>());
  stage.world.run();
  subject.stop();
  stage.world.run();
  EXPECT_EQ(answer.code(), "dropped");
  EXPECT_EQ(stage.world.events.dead_letters(), (Lines{"Aside stopped"}));
}

TEST(Stop, AR_17_timers_die_with_the_actor) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  ASSERT_TRUE(subject.tell<Arm>(5s));
  stage.world.run();
  subject.stop();
  stage.world.run_for(10s);
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1", "a stopping requested", "a destroyed"}));
}

TEST(Stop, AR_06_an_actor_that_ends_takes_no_children) {
  struct Parent {
    Script* child;
    void on(const Stopping&, Context& context) {
      auto spawned = context.spawn(Props<Subject>(child));
      child->write(spawned.has_value() ? "spawned" : std::string(to_string(spawned.error().code())));
    }
  };
  Stage stage;
  auto parent = stage.world.spawn<Parent>(&stage.script("child"));
  stage.world.run();
  parent.stop();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"child stopped"}));
}

TEST(Stop, AR_11_a_childs_hook_that_asks_its_stopping_parent_hears_stopped_and_does_not_wait) {
  struct Child {
    Script* script;
    Ref<Subject> parent;
    Task<void> on(const Stopping&) {
      auto answer = co_await as_result(parent.ask<Sum>());
      script->write(answer.has_value() ? "answered" : std::string(to_string(answer.error().code())));
    }
  };
  struct Spawner : Subject {
    using Subject::on;
    using Subject::Subject;
    void on(const Tick&, Context& context) { (void)context.spawn<Child>(script, Ref<Subject>(context.self().cell())); }
  };
  Stage stage;
  auto parent = stage.world.spawn<Spawner>(&stage.script("a"));
  ASSERT_TRUE(parent.tell<Tick>());
  stage.world.run();
  stage.forget();
  parent.stop();
  stage.world.run();
  const Lines log = stage.log();
  ASSERT_FALSE(log.empty());
  EXPECT_TRUE(log[0] == "a stopped" || log[0] == "a cycle") << log[0];
  EXPECT_EQ(log.back(), "a destroyed");
}

TEST(Stop, AR_16_drain_takes_nothing_new_handles_the_queue_then_stops) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  for (int i = 1; i <= 3; ++i) ASSERT_TRUE(subject.tell<Add>(i));
  ASSERT_TRUE(subject.tell<Hold>());
  ASSERT_TRUE(subject.tell<Add>(4));
  subject.drain();
  stage.world.run();
  EXPECT_EQ(subject.tell<Add>(5).fate(), Fate::stopped);
  EXPECT_EQ(stage.world.events.count(EventKind::stopped), 0u) << "a turn waits";
  stage.world.run_for(1s);
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1", "a add 1", "a add 2", "a add 3", "a hold"}));
}

TEST(Stop, AR_16_a_draining_actor_that_fails_and_restarts_goes_on_draining) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"), one_for_one());
  ASSERT_TRUE(subject.tell<Fail>());
  ASSERT_TRUE(subject.tell<Add>(1));
  subject.drain();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a started 0/1", "a fail", "a restarting: asked to fail", "a destroyed",
                                "a started 1/1", "a add 1", "a stopping requested", "a destroyed"}));
}

TEST(Stop, AR_16_an_unstarted_actor_that_is_drained_stops) {
  Stage stage;
  Script& script = stage.script("a");
  script.failing_starts = 1;
  script.start_severity = Severity::fatal;
  auto subject = stage.world.spawn(Props<Subject>(&script).on_start_failure(retry_start()));
  stage.world.run();
  ASSERT_EQ(life_of(subject), Life::unstarted);
  subject.drain();
  stage.world.run();
  EXPECT_EQ(stage.world.events.stops(), (Lines{"Subject requested"}));
}

TEST(Stop, AR_24_a_handler_sees_that_a_forced_stop_began) {
  struct Long {
    Script* script;
    void on(const Tick&, Context& context) {
      script->write(context.cancelled() ? "cancelled" : "goes on");
      context.self().stop();
      script->write(context.cancelled() ? "cancelled" : "goes on");
      context.self().force_stop();
      script->write(context.cancelled() ? "cancelled" : "goes on");
    }
  };
  Stage stage;
  auto actor = stage.world.spawn<Long>(&stage.script("a"));
  ASSERT_TRUE(actor.tell<Tick>());
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a goes on", "a goes on", "a cancelled"}));
}

TEST(Stop, AR_03_a_message_told_from_a_destructor_of_the_ending_actor_is_refused) {
  struct Mourner {
    Ref<Subject> other;
    Fate* fate;
    AnyRef self;
    void on(const Started&, Context& context) { self = context.self(); }
    void on(const Tick&) {}
    ~Mourner() {
      if (self) *fate = Ref<Mourner>(self.cell()).tell<Tick>().fate();
    }
  };
  Fate fate = Fate::accepted;
  Stage stage;
  auto mourner = stage.world.spawn<Mourner>(Ref<Subject>(), &fate, AnyRef());
  stage.world.run();
  mourner.stop();
  stage.world.run();
  EXPECT_EQ(fate, Fate::stopped);
}

}  // namespace
}  // namespace troupe
