// Stash: a message put aside, unanswered, until its actor can handle it.
#include <troupe/core/context.hpp>
#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

struct Job {
  int number;
};
struct Open {};
struct Ask {
  int number;
};

struct Shop {
  Script* script;
  bool open = false;
  void on(const Job& job, Context& context) {
    if (open) return script->write(std::to_string(job.number));
    auto stashed = context.stash();
    if (!stashed.has_value()) script->write(std::string(to_string(stashed.error().code())));
  }
  int on(const Ask& ask, Context& context) {
    if (!open) (void)context.stash();
    return ask.number;
  }
  void on(const Open&, Context& context) {
    open = true;
    context.unstash();
  }
  Result<void> on(const Fail&) { return Error{Code::failed}; }
};

TEST(Stash, FR_020_stashed_messages_come_back_in_order_in_front_of_the_mailbox) {
  Stage stage;
  auto shop = stage.world.spawn<Shop>(&stage.script("a"));
  for (int i = 1; i <= 3; ++i) ASSERT_TRUE(shop.tell<Job>(i));
  ASSERT_TRUE(shop.tell<Open>());
  ASSERT_TRUE(shop.tell<Job>(4));
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a 1", "a 2", "a 3", "a 4"}));
}

TEST(Stash, FR_020_a_high_message_comes_back_in_its_lane) {
  Stage stage;
  auto shop = stage.world.spawn<Shop>(&stage.script("a"));
  ASSERT_TRUE(shop.tell<Job>(1));
  stage.world.run();
  ASSERT_TRUE(shop.tell_high<Job>(101));
  ASSERT_TRUE(shop.tell_high<Job>(102));
  stage.world.run();
  ASSERT_TRUE(shop.tell<Open>());
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a 101", "a 102", "a 1"}));
}

TEST(Stash, FR_020_a_stashed_message_holds_no_slot_of_the_mailbox) {
  Stage stage;
  auto shop = stage.world.spawn(Props<Shop>(&stage.script("a")).mailbox(bounded(1)));
  for (int i = 1; i <= 5; ++i) {
    ASSERT_TRUE(shop.tell<Job>(i));
    stage.world.run();
  }
  ASSERT_TRUE(shop.tell<Open>());
  stage.world.run();
  EXPECT_EQ(stage.log().size(), 5u);
}

TEST(Stash, FR_020_overflow_is_an_error_and_an_event_and_nothing_is_lost) {
  Stage stage;
  auto shop = stage.world.spawn(Props<Shop>(&stage.script("a")).stash(2));
  for (int i = 1; i <= 3; ++i) ASSERT_TRUE(shop.tell<Job>(i));
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a full"}));
  const auto full = stage.world.events.of(EventKind::stash_full);
  ASSERT_EQ(full.size(), 1u);
  EXPECT_EQ(full[0].message, "Job");
  ASSERT_TRUE(shop.tell<Open>());
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a 1", "a 2"}));
  EXPECT_EQ(stage.world.counters().handled.value(), 4u);
}

TEST(Stash, FR_020_an_ask_in_the_stash_is_answered_when_it_comes_back) {
  Stage stage;
  auto shop = stage.world.spawn<Shop>(&stage.script("a"));
  auto& answer = stage.world.ask(shop.ask<Ask>(7));
  stage.world.run();
  EXPECT_FALSE(answer.came());
  ASSERT_TRUE(shop.tell<Open>());
  stage.world.run();
  EXPECT_EQ(answer.value(), 7);
}

TEST(Stash, FR_020_a_restart_makes_dead_letters_of_it_and_tells_who_asked) {
  Stage stage;
  auto shop = stage.world.spawn(Props<Shop>(&stage.script("a")).on_failure(one_for_one()));
  ASSERT_TRUE(shop.tell<Job>(1));
  auto& answer = stage.world.ask(shop.ask<Ask>(7));
  ASSERT_TRUE(shop.tell<Fail>());
  stage.world.run();
  EXPECT_EQ(stage.world.events.dead_letters(), (Lines{"Job restarted", "Ask restarted"}));
  EXPECT_EQ(answer.code(), "stopped");
}

TEST(Stash, FR_020_it_survives_a_restart_in_place) {
  Stage stage;
  auto shop = stage.world.spawn(Props<Shop>(&stage.script("a")).on_failure(one_for_one(Directive::restart_in_place)));
  ASSERT_TRUE(shop.tell<Job>(1));
  ASSERT_TRUE(shop.tell<Fail>());
  ASSERT_TRUE(shop.tell<Open>());
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a 1"}));
}

struct Retry {
  int number;
};
struct Hasty {
  Script* script;
  int tries = 0;
  void on(const Retry& retry, Context& context) {
    script->write("try " + std::to_string(retry.number));
    if (tries++ > 0) return;
    (void)context.stash();
    context.unstash();
  }
};

TEST(Stash, FR_020_a_message_may_be_stashed_and_unstashed_by_the_same_handler) {
  Stage stage;
  auto hasty = stage.world.spawn<Hasty>(&stage.script("a"));
  ASSERT_TRUE(hasty.tell<Retry>(1));
  ASSERT_TRUE(hasty.tell<Retry>(2));
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a try 1", "a try 1", "a try 2"}));
  EXPECT_EQ(stage.world.counters().handled.value(), 2u);
}

struct Patient {
  Script* script;
  bool put_aside = false;
  Task<int> on(const Retry& retry, Context& context) {
    script->write("try " + std::to_string(retry.number));
    Completion<void> opened;
    script->gate.emplace(opened.token());
    co_await opened;
    if (!std::exchange(put_aside, true)) (void)context.stash();
    co_return retry.number;
  }
  Task<int> on(const Ask& ask, Context& context) {
    (void)context.stash();
    Completion<void> opened;
    script->gate.emplace(opened.token());
    co_await opened;
    co_return ask.number;
  }
  void on(const Open&, Context& context) { context.unstash(); }
};

TEST(Stash, FR_020_a_handler_may_stash_its_message_after_it_has_waited) {
  Stage stage;
  Script& script = stage.script("a");
  auto patient = stage.world.spawn<Patient>(&script);
  auto& answer = stage.world.ask(patient.ask<Retry>(5));
  stage.world.run();
  script.open_gate();
  stage.world.run();
  EXPECT_FALSE(answer.came());
  ASSERT_TRUE(patient.tell<Open>());
  stage.world.run();
  script.open_gate();
  stage.world.run();
  EXPECT_EQ(answer.value(), 5);
  EXPECT_EQ(stage.log(), (Lines{"a try 5", "a try 5"}));
}

TEST(Stash, FR_020_a_message_stashed_by_a_turn_that_still_waits_dies_once) {
  Stage stage;
  Script& script = stage.script("a");
  auto patient = stage.world.spawn<Patient>(&script);
  auto& answer = stage.world.ask(patient.ask<Ask>(5));
  stage.world.run();
  stage.world.check_law();
  patient.stop();
  stage.world.run();
  EXPECT_EQ(answer.code(), "stopped");
  EXPECT_EQ(stage.world.events.dead_letters(), (Lines{"Ask stopped"}));
}

TEST(Stash, FR_020_a_message_stashed_by_a_turn_that_still_waits_comes_back_only_after_it) {
  Stage stage;
  Script& script = stage.script("a");
  auto patient = stage.world.spawn(Props<Patient>(&script).reentrant(4));
  ASSERT_TRUE(patient.tell<Ask>(5));
  stage.world.run();
  ASSERT_TRUE(patient.tell<Open>());
  stage.world.run();
  script.open_gate();
  stage.world.run();
}

TEST(Stash, FR_020_only_messages_can_be_stashed) {
  struct Odd {
    Script* script;
    void say(const Result<void>& result) {
      script->write(result.has_value() ? "stashed" : std::string(to_string(result.error().code())));
    }
    void on(const Started&, Context& context) { say(context.stash()); }
    void on(const Tick&, Context& context) { say(context.stash()); }
    void on(const Quit&, Context& context) { (void)context.after(this, 1s, Tick{}); }
  };
  Stage stage;
  auto odd = stage.world.spawn<Odd>(&stage.script("a"));
  ASSERT_TRUE(odd.tell<Quit>());
  stage.world.run_for(1s);
  EXPECT_EQ(stage.log(), (Lines{"a invalid", "a invalid"}));
}

TEST(Stash, FR_020_a_handler_that_keeps_its_reply_may_stash_instead) {
  struct Keeper {
    bool open = false;
    Reply<int> reply{};
    Kept<int> on(const Ask&, Context& context) {
      if (!open) (void)context.stash();
      return context.keep(reply);
    }
    void on(const Open&, Context& context) {
      open = true;
      context.unstash();
    }
    void on(const Now& now) { reply(now.number); }
  };
  Stage stage;
  auto keeper = stage.world.spawn<Keeper>();
  auto& answer = stage.world.ask(keeper.ask<Ask>(1));
  stage.world.run();
  stage.world.check_law();
  ASSERT_TRUE(keeper.tell<Now>(1));  // nothing is kept yet
  ASSERT_TRUE(keeper.tell<Open>());
  ASSERT_TRUE(keeper.tell<Now>(2));
  stage.world.run();
  EXPECT_EQ(answer.value(), 2);
}

}  // namespace
}  // namespace troupe
