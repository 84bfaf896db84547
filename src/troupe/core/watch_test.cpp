#include <troupe/core/watch.hpp>

#include <algorithm>

#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

struct Two {
  Stage stage;
  Ref<Subject> target;
  Ref<Subject> watcher;
  Two() : target(stage.spawn(stage.script("target"))), watcher(stage.spawn(stage.script("watcher"))) {
    stage.world.run();
    stage.forget();
  }
  template <class M, class... Fields>
  void tell(const Ref<Subject>& whom, Fields&&... fields) {
    EXPECT_TRUE(whom.tell<M>(std::forward<Fields>(fields)...));
    stage.world.run();
  }
  std::size_t notices() {
    std::size_t count = 0;
    for (const std::string& line : stage.log()) count += line.starts_with("watcher terminated") ? 1 : 0;
    return count;
  }
};

TEST(Watch, AR_14_one_termination_notice_a_watch) {
  Two two;
  two.tell<Look>(two.watcher, AnyRef(two.target));
  two.tell<Quit>(two.target);
  EXPECT_EQ(two.stage.log(), (Lines{"target stopping requested", "target destroyed", "watcher terminated requested"}));
  two.stage.world.run_for(1h);
  EXPECT_EQ(two.notices(), 0u);
}

TEST(Watch, AR_14_a_second_watch_of_the_same_life_is_the_first) {
  Two two;
  two.tell<Look>(two.watcher, AnyRef(two.target));
  two.tell<Look>(two.watcher, AnyRef(two.target));
  two.tell<Quit>(two.target);
  EXPECT_EQ(two.notices(), 1u);
}

TEST(Watch, AR_14_a_watch_of_one_that_is_dead_is_answered_at_once) {
  Two two;
  two.tell<Quit>(two.target);
  two.stage.forget();
  two.tell<Look>(two.watcher, AnyRef(two.target));
  EXPECT_EQ(two.notices(), 1u);
}

TEST(Watch, AR_14_a_watch_of_nobody_is_answered_at_once) {
  Two two;
  two.tell<Look>(two.watcher, AnyRef());
  EXPECT_EQ(two.notices(), 1u);
}

TEST(Watch, AR_14_a_watch_found_in_the_last_chain_is_answered) {
  Two two;
  two.target.stop();
  ASSERT_TRUE(two.watcher.tell<Look>(AnyRef(two.target)));
  two.stage.world.run();
  EXPECT_EQ(two.notices(), 1u);
}

TEST(Watch, AR_14_unwatch_ends_it) {
  Two two;
  two.tell<Look>(two.watcher, AnyRef(two.target));
  two.tell<Unlook>(two.watcher, AnyRef(two.target));
  two.tell<Quit>(two.target);
  EXPECT_EQ(two.notices(), 0u);
}

TEST(Watch, AR_14_after_unwatch_a_new_watch_counts) {
  Two two;
  two.tell<Look>(two.watcher, AnyRef(two.target));
  ASSERT_TRUE(two.watcher.tell<Unlook>(AnyRef(two.target)));
  two.tell<Look>(two.watcher, AnyRef(two.target));
  two.tell<Quit>(two.target);
  EXPECT_EQ(two.notices(), 1u);
}

TEST(Watch, AR_14_watch_and_unwatch_in_one_turn_leave_nothing) {
  Two two;
  ASSERT_TRUE(two.watcher.tell<Look>(AnyRef(two.target)));
  ASSERT_TRUE(two.watcher.tell<Unlook>(AnyRef(two.target)));
  two.stage.world.run();
  two.tell<Quit>(two.target);
  EXPECT_EQ(two.notices(), 0u);
}

struct Hesitant {
  Script* script;
  Ref<Subject> target;
  Task<void> on(const Hold&, Context& context) {
    (void)context.watch(target);
    Completion<void> opened;
    script->gate.emplace(opened.token());
    co_await opened;
    context.unwatch(target);
    script->write("unwatched");
  }
  void on(const Terminated&) { script->write("terminated"); }
};

TEST(Watch, AR_14_no_notice_runs_inside_a_turn_that_waits) {
  Stage stage;
  Script& script = stage.script("a");
  auto target = stage.spawn(stage.script("target"));
  struct Plain : Hesitant {
    using Hesitant::on;
    Task<void> on(const Hold&, Context& context) {
      (void)context.watch(target);
      Completion<void> opened;
      script->gate.emplace(opened.token());
      co_await opened;
      script->write("went on");
    }
  };
  auto watcher = stage.world.spawn<Plain>(Hesitant{&script, target});
  ASSERT_TRUE(watcher.tell<Hold>());
  stage.world.run();
  stage.forget();
  target.stop();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"target stopping requested", "target destroyed"}));
  script.open_gate();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a went on", "a terminated"}));
}

TEST(Watch, AR_14_a_notice_that_waits_for_its_turn_is_dropped_by_unwatch) {
  Stage stage;
  Script& script = stage.script("a");
  auto target = stage.spawn(stage.script("target"));
  auto watcher = stage.world.spawn<Hesitant>(&script, target);
  ASSERT_TRUE(watcher.tell<Hold>());
  stage.world.run();
  target.stop();
  stage.world.run();
  stage.forget();
  script.open_gate();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a unwatched"}));
}

TEST(Watch, AR_14_a_restart_of_the_target_gives_no_notice) {
  Stage stage;
  auto target = stage.spawn(stage.script("target"), one_for_one());
  auto watcher = stage.spawn(stage.script("watcher"));
  ASSERT_TRUE(watcher.tell<Look>(AnyRef(target)));
  stage.world.run();
  stage.forget();
  ASSERT_TRUE(target.tell<Fail>());
  stage.world.run();
  EXPECT_EQ(stage.log(),
            (Lines{"target fail", "target restarting: asked to fail", "target destroyed", "target started 1/1"}));
  target.stop();
  stage.world.run();
  EXPECT_EQ(stage.log().back(), "watcher terminated requested");
}

TEST(Watch, AR_14_a_watcher_that_restarts_forgets_its_watches) {
  Stage stage;
  auto target = stage.spawn(stage.script("target"));
  auto watcher = stage.spawn(stage.script("watcher"), one_for_one());
  ASSERT_TRUE(watcher.tell<Look>(AnyRef(target)));
  ASSERT_TRUE(watcher.tell<Fail>());
  stage.world.run();
  stage.forget();
  target.stop();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"target stopping requested", "target destroyed"}));
}

TEST(Watch, AR_14_a_watcher_that_ends_leaves_no_trace) {
  Two two;
  two.tell<Look>(two.watcher, AnyRef(two.target));
  two.tell<Quit>(two.watcher);
  two.tell<Quit>(two.target);
  EXPECT_EQ(two.notices(), 0u);
}

TEST(Watch, AR_14_watcher_and_target_may_end_in_the_same_moment) {
  Two two;
  two.tell<Look>(two.watcher, AnyRef(two.target));
  two.target.stop();
  two.watcher.stop();
  two.stage.world.run();
  EXPECT_EQ(two.notices(), 0u);
}

TEST(Watch, AR_14_an_actor_may_watch_itself_and_hears_nothing) {
  Two two;
  two.tell<Look>(two.watcher, AnyRef(two.watcher));
  two.tell<Quit>(two.watcher);
  EXPECT_EQ(two.notices(), 0u);
}

TEST(Watch, AR_14_many_watchers_are_each_told_once) {
  Stage stage;
  auto target = stage.spawn(stage.script("target"));
  for (int i = 0; i < 20; ++i) {
    auto watcher = stage.spawn(stage.script("watcher"));
    ASSERT_TRUE(watcher.tell<Look>(AnyRef(target)));
    if (i % 3 == 0) {
      ASSERT_TRUE(watcher.tell<Unlook>(AnyRef(target)));
    }
  }
  stage.world.run();
  stage.forget();
  target.stop();
  stage.world.run();
  EXPECT_EQ(stage.log().size(), 2u + 13u);
}

TEST(Watch, AR_14_a_handler_of_one_notice_may_unwatch_the_next) {
  struct Guard {
    Script* script;
    Ref<Subject> one;
    Ref<Subject> other;
    void on(const Started&, Context& context) {
      (void)context.watch(one);
      (void)context.watch(other);
    }
    void on(const Terminated& ended, Context& context) {
      script->write("terminated");
      context.unwatch(ended.who == AnyRef(one) ? other : one);
    }
  };
  Stage stage;
  auto one = stage.spawn(stage.script("one"));
  auto other = stage.spawn(stage.script("other"));
  auto guard = stage.world.spawn<Guard>(&stage.script("guard"), one, other);
  stage.world.run();
  stage.forget();
  guard.suspend();
  one.stop();
  other.stop();
  stage.world.run();
  Lines log = stage.log();
  EXPECT_EQ(std::count(log.begin(), log.end(), "guard terminated"), 1);
}

TEST(Watch, AR_13_a_parent_told_of_its_childs_end_has_no_record_of_it_any_more) {
  struct Parent {
    Script* script;
    void on(const Started&, Context& context) {
      auto child = context.spawn<Subject>(script);
      (void)context.watch(child);
      (void)child.tell<Quit>();
    }
    void on(const Terminated&, Context& context) {
      script->write("children " + std::to_string(context.children().size()));
    }
  };
  Stage stage;
  stage.world.spawn<Parent>(&stage.script("a"));
  stage.world.run();
  EXPECT_EQ(stage.log().back(), "a children 0");
}

TEST(Watch, AR_23_the_notice_carries_the_reason_and_the_error) {
  Two two;
  two.tell<Look>(two.watcher, AnyRef(two.target));
  two.tell<Fail>(two.target);
  EXPECT_EQ(two.stage.log().back(), "watcher terminated failed: asked to fail");
}

TEST(Watch, AR_23_the_notice_says_that_the_end_was_forced) {
  Two two;
  two.tell<Look>(two.watcher, AnyRef(two.target));
  two.target.force_stop();
  two.stage.world.run();
  EXPECT_EQ(two.stage.log().back(), "watcher terminated requested forced");
}

TEST(Watch, FR_005_a_watch_that_its_target_could_not_keep_is_refused_to_the_watcher) {
  struct Bare {
    void on(const Tick&) {}
  };
  struct Careful : Subject {
    using Subject::on;
    using Subject::Subject;
    void on(const Look& look, Context& context) {
      auto watched = context.watch(look.who);
      script->write(watched.has_value() ? "watches" : std::string(to_string(watched.error().code())));
    }
  };
  Stage stage({.kernel = {}, .bytes = 16 * 1024});
  auto watcher = stage.world.spawn<Careful>(&stage.script("watcher"));
  auto target = stage.world.spawn<Bare>();
  ASSERT_TRUE(watcher.tell<Look>(AnyRef(watcher)));  // so that it has a side block and the pool a watch
  ASSERT_TRUE(watcher.tell<Unlook>(AnyRef(watcher)));
  stage.world.run();
  stage.forget();
  std::vector<void*> taken;  // all that is left for side blocks
  while (void* block = stage.world.worker().allocate_stable(side_class)) taken.push_back(block);
  ASSERT_TRUE(watcher.tell<Look>(AnyRef(target)));
  stage.world.run();
  for (void* block : taken) stage.world.worker().free_stable(block, side_class);
  ASSERT_TRUE(watcher.tell<Look>(AnyRef(target)));
  target.stop();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"watcher exhausted", "watcher watches", "watcher terminated requested"}));
}

}  // namespace
}  // namespace troupe
