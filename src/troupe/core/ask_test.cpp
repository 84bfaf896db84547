#include <troupe/core/ask.hpp>

#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

// Asks whom it is told to, and writes down the answer.
struct Go {};
struct Aim {
  Ref<Subject> whom;
};
struct Caller {
  Script* script;
  Ref<Subject> whom;
  void write(const Result<int>& answer) {
    if (answer.has_value()) return script->write(std::to_string(*answer));
    script->write(std::string(to_string(answer.error().code())) + ": " + std::string(answer.error().text()));
  }
  Task<void> on(const Go&) {
    auto answer = co_await as_result(whom.ask<Sum>());
    write(answer);
  }
  Task<void> on(const Hold&) {
    auto answer = co_await as_result(whom.ask<Hold>().within(2s));
    write(answer);
  }
  Task<int> on(const Sum&) {
    auto answer = co_await whom.ask<Sum>();
    co_return answer + 1;
  }
  Task<void> on(const Fail&) {
    co_await whom.ask<Fail>();
    script->write("went on");
  }
  void on(const Add& add) { script->write("add " + std::to_string(add.number)); }
};

struct Pair {
  Stage stage;
  Script& script;
  Script& served;
  Ref<Subject> server;
  Ref<Caller> caller;
  Pair()
      : script(stage.script("caller")),
        served(stage.script("server")),
        server(stage.spawn(served, resume_on_error())),
        caller(stage.world.spawn<Caller>(&script, server)) {
    stage.world.run();
    stage.forget();
  }
};

TEST(Ask, AR_13_a_handler_awaits_the_answer) {
  Pair pair;
  ASSERT_TRUE(pair.server.tell<Add>(41));
  ASSERT_TRUE(pair.caller.tell<Go>());
  pair.stage.world.run();
  EXPECT_EQ(pair.stage.log(), (Lines{"server add 41", "caller 41"}));
}

TEST(Ask, AR_13_asks_nest) {
  Pair pair;
  ASSERT_TRUE(pair.server.tell<Add>(41));
  auto& answer = pair.stage.world.ask(pair.caller.ask<Sum>());
  pair.stage.world.run();
  EXPECT_EQ(answer.value(), 42);
}

struct NoTime {
  Ref<Subject> whom;
};
struct Hurried {
  Code* code;
  Task<void> on(const NoTime& none) {
    auto answer = co_await as_result(none.whom.ask<Hold>().within(-1s));
    *code = answer.has_value() ? Code::failed : answer.error().code();
  }
};

TEST(Ask, AR_13_an_ask_whose_time_is_spent_does_not_wait_for_the_default) {
  Pair pair;
  Code code = Code::failed;
  ASSERT_TRUE(pair.stage.world.spawn<Hurried>(&code).tell<NoTime>(pair.server));
  pair.stage.world.run_for(1ms);
  EXPECT_EQ(code, Code::timeout);
}

TEST(Ask, AR_13_a_timeout_says_who_was_waiting_for_whom) {
  Pair pair;
  ASSERT_TRUE(pair.caller.tell<Hold>());
  pair.stage.world.run_for(1999ms);
  EXPECT_EQ(pair.stage.log(), (Lines{"server hold"}));
  pair.stage.world.run_for(1ms);
  const Lines log = pair.stage.log();
  ASSERT_EQ(log.size(), 1u);
  EXPECT_TRUE(log[0].starts_with("caller timeout: ")) << log[0];
  for (const char* name : {"Caller", "Subject", "Hold"}) EXPECT_NE(log[0].find(name), std::string::npos) << log[0];
}

TEST(Ask, AR_13_the_default_deadline_is_thirty_seconds) {
  Pair pair;
  pair.server.suspend();
  ASSERT_TRUE(pair.caller.tell<Go>());
  pair.stage.world.run_for(29999ms);
  EXPECT_EQ(pair.stage.log(), Lines{});
  pair.stage.world.run_for(1ms);
  EXPECT_EQ(pair.stage.log().size(), 1u);
}

TEST(Ask, AR_13_a_late_reply_is_counted_and_goes_nowhere) {
  Pair pair;
  ASSERT_TRUE(pair.caller.tell<Hold>());
  pair.stage.world.run_for(2s);
  pair.stage.forget();
  pair.served.open_gate();
  pair.stage.world.run();
  EXPECT_EQ(pair.stage.log(), (Lines{"server held"}));
  EXPECT_EQ(pair.stage.world.counters().late.value(), 1u);
  EXPECT_EQ(pair.stage.world.events.count(EventKind::late_reply), 1u);
}

TEST(Ask, AR_13_several_deadlines_each_end_in_their_time) {
  struct Many {
    Script* script;
    Ref<Subject> whom;
    Task<void> on(const Add& add) {
      auto answer = co_await as_result(whom.ask<Sum>().within(std::chrono::seconds(add.number)));
      script->write(std::to_string(add.number) + (answer.has_value() ? " answered" : " timed out"));
    }
  };
  Pair pair;
  pair.server.suspend();
  auto many = pair.stage.world.spawn(Props<Many>(&pair.script, pair.server).reentrant(8));
  for (int i : {5, 2, 9, 2}) ASSERT_TRUE(many.tell<Add>(i));
  pair.stage.world.run_for(2s);
  EXPECT_EQ(pair.stage.log(), (Lines{"caller 2 timed out", "caller 2 timed out"}));
  pair.stage.world.run_for(3s);
  EXPECT_EQ(pair.stage.log(), (Lines{"caller 5 timed out"}));
  pair.server.resume();
  pair.stage.world.run();
  EXPECT_EQ(pair.stage.log(), (Lines{"caller 9 answered"}));
}

TEST(Ask, AR_25_no_other_user_turn_runs_while_a_handler_waits) {
  Pair pair;
  ASSERT_TRUE(pair.caller.tell<Hold>());
  pair.stage.world.run();
  ASSERT_TRUE(pair.caller.tell<Add>(1));
  ASSERT_TRUE(pair.caller.tell_high<Add>(2));
  pair.stage.world.run();
  EXPECT_EQ(pair.stage.log(), (Lines{"server hold"}));
  pair.served.open_gate();
  pair.stage.world.run();
  EXPECT_EQ(pair.stage.log(), (Lines{"server held", "caller 0", "caller add 2", "caller add 1"}));
}

TEST(Ask, AR_25_a_reentrant_actor_opens_at_most_so_many_turns) {
  Pair pair;
  auto caller = pair.stage.world.spawn(Props<Caller>(&pair.script, pair.server).reentrant(2));
  pair.server.suspend();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(caller.tell<Go>());
  pair.stage.world.run();
  EXPECT_EQ(caller.cell().cell->open_turns, 2);
  ASSERT_TRUE(caller.tell<Add>(1));
  pair.stage.world.run();
  EXPECT_EQ(pair.stage.log(), Lines{});
  pair.server.resume();
  pair.stage.world.run();
  EXPECT_EQ(pair.stage.log(), (Lines{"caller 0", "caller 0", "caller add 1", "caller 0"}));
}

TEST(Ask, AR_13_an_unwrapped_error_ends_the_turn_but_does_not_fail_the_asker) {
  Pair pair;
  auto& answer = pair.stage.world.ask(pair.caller.ask<Fail>());
  pair.stage.world.run();
  EXPECT_EQ(pair.stage.log(), (Lines{"server fail"}));
  EXPECT_EQ(answer.text(), "asked to fail");
  EXPECT_EQ(pair.stage.world.events.count(EventKind::failed), 1u) << "the server's own";
}

TEST(Ask, AR_13_an_ask_that_is_never_awaited_sends_nothing) {
  Pair pair;
  {
    auto unused = pair.server.ask<Sum>();
  }
  EXPECT_EQ(pair.stage.world.counters().sent.value(), 0u);
}

TEST(Ask, AR_13_an_ask_of_one_that_stopped_or_is_full_is_refused_to_the_asker) {
  Pair pair;
  pair.server.stop();
  pair.stage.world.run();
  pair.stage.forget();
  ASSERT_TRUE(pair.caller.tell<Go>());
  pair.stage.world.run();
  EXPECT_EQ(pair.stage.log(), (Lines{"caller stopped: the actor has stopped"}));
}

TEST(Ask, AR_24_a_handler_sees_its_deadline_and_that_it_passed) {
  struct Server {
    World* world;
    Lines* log;
    void on(const Tick&, Context& context) {
      log->push_back(context.deadline() == end_of_time ? "none"
                                                       : std::to_string(context.deadline() - world->clock.time));
      log->push_back(context.cancelled() ? "passed" : "open");
      world->clock.time += 3'000'000'000;
      log->push_back(context.cancelled() ? "passed" : "open");
    }
  };
  Lines log;
  World world;
  auto server = world.spawn<Server>(&world, &log);
  world.ask(server.ask<Tick>().within(2s));
  world.run();
  ASSERT_TRUE(server.tell<Tick>());
  world.run();
  EXPECT_EQ(log, (Lines{"2000000000", "open", "passed", "none", "open", "open"}));
}

}  // namespace
}  // namespace troupe
