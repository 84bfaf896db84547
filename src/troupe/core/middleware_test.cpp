#include <troupe/core/middleware.hpp>

#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

struct Trace final : Middleware {
  std::string name;
  Lines* log;
  bool refuses = false;
  Trace(std::string what, Lines* where) : name(std::move(what)), log(where) {}
  Result<void> before(const Passing& passing) noexcept override {
    log->push_back(name + " before " + passing.message);
    if (refuses) return Error{Code::denied, "not today"};
    return {};
  }
  void after(const Passing& passing) noexcept override { log->push_back(name + " after " + passing.message); }
};

struct Chain {
  Lines seen;
  Trace outer{"outer", &seen};
  Trace inner{"inner", &seen};
  Stage stage;
  Script& script;
  Ref<Subject> subject;
  explicit Chain(const Policy& policy = {}, bool hold_start = false) : script(stage.script("a")) {
    script.hold_start = hold_start;
    subject = stage.world.spawn(Props<Subject>(&script).through(outer).through(inner).on_failure(policy));
    stage.world.run();
  }
  ~Chain() {
    subject.stop();
    stage.world.run();
  }
  Lines lines() { return std::exchange(seen, {}); }
};

// Puts its message aside, and waits.
struct Hoarder {
  Task<void> on(const Hold&, Context& context) {
    (void)context.stash();
    Completion<void> never;
    const auto token = never.token();
    co_await never;
  }
};

TEST(Middleware, FR_018_the_chain_runs_before_and_after_each_message_in_its_order) {
  Chain chain;
  ASSERT_TRUE(chain.subject.tell<Add>(1));
  ASSERT_TRUE(chain.subject.tell_high<Add>(2));
  chain.stage.world.run();
  EXPECT_EQ(chain.lines(), (Lines{"outer before Add", "inner before Add", "inner after Add", "outer after Add",
                                  "outer before Add", "inner before Add", "inner after Add", "outer after Add"}));
  EXPECT_EQ(chain.stage.log(), (Lines{"a started 0/1", "a add 2", "a add 1"}));
}

TEST(Middleware, FR_018_a_fifth_one_is_refused_when_the_actor_is_spawned) {
  Lines seen;
  Trace trace("trace", &seen);
  Stage stage;
  const auto refused = stage.world.try_spawn(
      Props<Hoarder>().through(trace).through(trace).through(trace).through(trace).through(trace));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), Code::invalid);
}

TEST(Middleware, FR_018_a_refusal_answers_who_asked_and_no_handler_runs) {
  Chain chain;
  chain.outer.refuses = true;
  auto& answer = chain.stage.world.ask(chain.subject.ask<Sum>());
  chain.stage.world.run();
  EXPECT_EQ(answer.text(), "not today");
  EXPECT_EQ(chain.lines(), (Lines{"outer before Sum"}));
  EXPECT_EQ(chain.stage.world.counters().dead.value(), 1u);
}

TEST(Middleware, FR_018_a_refused_message_that_nobody_asked_is_a_dead_letter) {
  Chain chain;
  chain.outer.refuses = true;
  ASSERT_TRUE(chain.subject.tell<Add>(1));
  chain.stage.world.run();
  EXPECT_EQ(chain.stage.world.events.dead_letters(), (Lines{"Add refused"}));
}

TEST(Middleware, FR_018_after_comes_when_a_turn_that_waits_has_ended) {
  Chain chain;
  ASSERT_TRUE(chain.subject.tell<Hold>());
  chain.stage.world.run();
  EXPECT_EQ(chain.lines(), (Lines{"outer before Hold", "inner before Hold"}));
  chain.script.open_gate();
  chain.stage.world.run();
  EXPECT_EQ(chain.lines(), (Lines{"inner after Hold", "outer after Hold"}));
}

TEST(Middleware, FR_018_after_comes_too_when_a_turn_that_waits_is_destroyed) {
  Chain chain;
  ASSERT_TRUE(chain.subject.tell<Hold>());
  chain.stage.world.run();
  (void)chain.lines();
  chain.subject.stop();
  chain.stage.world.run();
  EXPECT_EQ(chain.lines(), (Lines{"inner after Hold", "outer after Hold"}));
}

// Puts its message aside and waits, until another one takes it up again.
struct Keeper {
  std::optional<Completion<void>::Token> token;
  int handled = 0;
  Task<void> on(const Hold&, Context& context) {
    if (++handled > 1) co_return;
    (void)context.stash();
    Completion<void> later;
    token.emplace(later.token());
    co_await later;
  }
  void on(const Unstash&, Context& context) { context.unstash(); }
  void on(const Tick&) { (*token)(); }
  int on(const Sum&) { return handled; }
};

TEST(Middleware, FR_018_a_message_whose_turn_waits_is_not_refused_when_it_comes_back_from_the_stash) {
  Lines seen;
  Trace trace("trace", &seen);
  Stage stage;
  const auto keeper = stage.world.spawn(Props<Keeper>().reentrant(2).through(trace));
  ASSERT_TRUE(keeper.tell<Hold>());
  ASSERT_TRUE(keeper.tell<Unstash>());
  stage.world.run();
  trace.refuses = true;
  ASSERT_TRUE(keeper.tell<Unstash>());
  stage.world.run();
  trace.refuses = false;
  ASSERT_TRUE(keeper.tell<Tick>());
  ASSERT_TRUE(keeper.tell<Unstash>());
  stage.world.run();
  auto& handled = stage.world.ask(keeper.ask<Sum>());
  stage.world.run();
  EXPECT_EQ(handled.value(), 2);
}

TEST(Middleware, FR_018_after_comes_once_when_a_turn_that_stashed_its_message_and_waits_is_destroyed) {
  Lines seen;
  Trace trace("trace", &seen);
  Stage stage;
  const auto hoarder = stage.world.spawn(Props<Hoarder>().through(trace));
  ASSERT_TRUE(hoarder.tell<Hold>());
  stage.world.run();
  EXPECT_EQ(seen, (Lines{"trace before Hold"}));
  hoarder.stop();
  stage.world.run();
  EXPECT_EQ(seen, (Lines{"trace before Hold", "trace after Hold"}));
  EXPECT_EQ(stage.world.events.dead_letters(), (Lines{"Hold stopped"}));
}

TEST(Middleware, FR_018_whoever_allowed_a_message_that_the_next_one_refused_hears_of_its_end) {
  Chain chain;
  chain.inner.refuses = true;
  ASSERT_TRUE(chain.subject.tell<Add>(1));
  chain.stage.world.run();
  EXPECT_EQ(chain.lines(), (Lines{"outer before Add", "inner before Add", "outer after Add"}));
}

TEST(Middleware, FR_018_hooks_do_not_pass_the_chain_whether_they_wait_or_not) {
  Chain chain({}, true);
  chain.script.open_gate();
  chain.stage.world.run();
  EXPECT_EQ(chain.lines(), Lines{});
}

TEST(Middleware, FR_018_the_messages_of_a_drop_oldest_mailbox_pass_the_chain) {
  Lines seen;
  Trace trace("trace", &seen);
  Stage stage;
  auto subject =
      stage.world.spawn(Props<Subject>(&stage.script("a")).through(trace).mailbox(bounded(2, Overflow::drop_oldest)));
  for (int i = 1; i <= 3; ++i) ASSERT_TRUE(subject.tell<Add>(i));
  stage.world.run();
  EXPECT_EQ(seen, (Lines{"trace before Add", "trace after Add", "trace before Add", "trace after Add"}));
}

}  // namespace
}  // namespace troupe
