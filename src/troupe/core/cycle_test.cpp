// Cycles of asks: which are refused at once, which end by their deadline, and what is no cycle (rule 16 of life.md).
#include <troupe/core/ask.hpp>
#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

// Asks whom it knows.
struct Go {};

TEST(Cycle, AR_13_an_ask_of_oneself_is_refused_at_once) {
  struct Vain {
    Script* script;
    Task<int> on(const Sum&, Context& context) {
      auto answer = co_await as_result(context.self(this).template ask<Sum>());
      script->write(answer.has_value() ? "answered" : std::string(answer.error().text()));
      co_return 0;
    }
  };
  Stage stage;
  auto vain = stage.world.spawn<Vain>(&stage.script("a"));
  ASSERT_TRUE(vain.tell<Sum>());
  stage.world.run();
  const Lines log = stage.log();
  ASSERT_EQ(log.size(), 1u);
  EXPECT_NE(log[0].find("Vain -> Vain"), std::string::npos) << log[0];
}

struct Beta;
struct Alpha {
  Script* script;
  Ref<Beta> next{};
  Task<int> on(const Sum&);
  void on(const Ref<Beta>& whom) { next = whom; }
};
struct Gamma {
  Script* script;
  Ref<Alpha> next{};
  Task<int> on(const Sum&) {
    auto answer = co_await as_result(next.ask<Sum>());
    script->write(answer.has_value() ? "answered" : std::string(answer.error().text()));
    co_return 7;
  }
};
struct Beta {
  Ref<Gamma> next{};
  Task<int> on(const Sum&) {
    auto answer = co_await next.ask<Sum>();
    co_return answer;
  }
};
Task<int> Alpha::on(const Sum&) {
  auto answer = co_await next.ask<Sum>();
  co_return answer;
}

TEST(Cycle, AR_13_a_cycle_of_asks_is_refused_at_once_naming_the_chain) {
  Stage stage;
  Script& script = stage.script("a");
  auto alpha = stage.world.spawn<Alpha>(&script);
  auto gamma = stage.world.spawn<Gamma>(&script, alpha);
  auto beta = stage.world.spawn<Beta>(gamma);
  ASSERT_TRUE(alpha.tell<Ref<Beta>>(beta));
  auto& answer = stage.world.ask(alpha.ask<Sum>());
  stage.world.run();
  EXPECT_EQ(answer.value(), 7) << "only the ask that would close the cycle is refused";
  const Lines log = stage.log();
  ASSERT_EQ(log.size(), 1u);
  EXPECT_NE(log[0].find("Gamma -> Alpha -> Beta -> Gamma"), std::string::npos) << log[0];
  stage.world.ask(alpha.ask<Sum>());
  stage.world.run();
  EXPECT_EQ(stage.log().size(), 1u) << "no edge is left over";
}

TEST(Cycle, AR_13_in_a_cycle_of_reentrant_actors_the_deadline_decides) {
  Stage stage;
  Script& script = stage.script("a");
  auto alpha = stage.world.spawn(Props<Alpha>(&script).reentrant(2));
  auto gamma = stage.world.spawn(Props<Gamma>(&script, alpha).reentrant(2));
  auto beta = stage.world.spawn(Props<Beta>(gamma).reentrant(2));
  ASSERT_TRUE(alpha.tell<Ref<Beta>>(beta));
  stage.world.ask(alpha.ask<Sum>().within(1h));
  stage.world.run();
  EXPECT_EQ(stage.log(), Lines{});
  stage.world.run_for(31s);
  EXPECT_NE(stage.log().at(0).find("waited for"), std::string::npos);
}

// Asks the other one before it answers, and in its Restarting hook.
struct Mutual {
  Script* script;
  CellRef whom{};
  Task<int> ask_other() {
    auto answer = co_await as_result(Ref<Mutual>(whom).ask<Sum>());
    script->write(answer.has_value() ? "answered" : std::string(to_string(answer.error().code())));
    co_return 1;
  }
  Task<int> on(const Sum&) { return ask_other(); }
  Task<void> on(const Restarting&) { co_await ask_other(); }
  Result<void> on(const Fail&) { return Error{Code::failed, "asked to fail"}; }
  void on(const CellRef& other) { whom = other; }
};

TEST(Cycle, AR_01_an_ask_of_a_stale_reference_says_stopped_although_its_cell_now_waits_for_the_asker) {
  Stage stage;
  auto old = stage.world.spawn<Mutual>(&stage.script("old"));
  stage.world.run();
  old.stop();
  stage.world.run();
  auto next = stage.world.spawn<Mutual>(&stage.script("next"));
  ASSERT_EQ(old.cell().cell, next.cell().cell);
  auto asker = stage.world.spawn<Mutual>(&stage.script("asker"), old.cell());
  ASSERT_TRUE(next.tell<CellRef>(asker.cell()));
  ASSERT_TRUE(next.tell<Sum>());
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"asker stopped", "next answered"}));
}

TEST(Cycle, AR_13_a_late_reply_to_an_older_life_leaves_the_edge_of_the_next) {
  Stage stage;
  auto busy = stage.world.spawn<Mutual>(&stage.script("busy"));
  busy.suspend();
  auto old = stage.world.spawn<Mutual>(&stage.script("old"), busy.cell());
  ASSERT_TRUE(old.tell<Sum>());
  stage.world.run();
  old.stop();
  stage.world.run();
  auto next = stage.world.spawn<Mutual>(&stage.script("next"));
  ASSERT_EQ(old.cell().cell, next.cell().cell);
  auto other = stage.world.spawn<Mutual>(&stage.script("other"), next.cell());
  ASSERT_TRUE(next.tell<CellRef>(other.cell()));
  stage.world.run();
  other.suspend();
  ASSERT_TRUE(next.tell<Sum>());
  stage.world.run();
  busy.stop();  // answers the old life's ask
  stage.world.run();
  EXPECT_EQ(stage.world.counters().late.value(), 1u);
  other.resume();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"other cycle", "next answered"}));
}

TEST(Cycle, AR_13_an_end_hook_that_asks_stays_part_of_a_cycle_whatever_wakes_its_actor) {
  Stage stage;
  auto other = stage.world.spawn<Mutual>(&stage.script("other"));
  auto mutual = stage.world.spawn(Props<Mutual>(&stage.script("a"), other.cell()).on_failure(one_for_one()));
  ASSERT_TRUE(other.tell<CellRef>(mutual.cell()));
  stage.world.run();
  other.suspend();
  ASSERT_TRUE(mutual.tell<Fail>());
  stage.world.run();
  mutual.suspend();
  stage.world.run();
  other.resume();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"other cycle", "a answered"}));
}

struct Heir;
// Asks, and waits for its heir before it restarts.
struct Elder {
  Script* script;
  Ref<Subject> server;
  void on(const Started&, Context& context) { (void)context.spawn<Heir>(script, context.self(this)); }
  Task<void> on(const Go&) {
    auto answer = co_await as_result(server.ask<Sum>().within(1s));
    script->write(answer.has_value() ? "answered" : std::string(to_string(answer.error().code())));
  }
  Result<void> on(const Fail&) { return Error{Code::failed, "asked to fail"}; }
  int on(const Sum&) { return 1; }
};
struct Heir {
  Script* script;
  Ref<Elder> elder;
  Task<void> on(const Stopping&) {
    if (!script->hold_end) co_return;
    Completion<void> opened;
    script->gate.emplace(opened.token());
    co_await opened;
    auto answer = co_await as_result(elder.ask<Sum>());
    script->write(answer.has_value() ? "answered" : std::string(to_string(answer.error().code())));
  }
};

TEST(Cycle, AR_13_no_late_reply_clears_the_edge_of_one_that_waits_for_its_children) {
  Stage stage;
  Script& script = stage.script("a");
  script.hold_end = true;
  auto server = stage.spawn(stage.script("server"));
  auto elder = stage.world.spawn(Props<Elder>(&script, server).on_failure(one_for_one()));
  stage.world.run();
  stage.forget();
  server.suspend();
  elder.cell().cell->serial = 0xffff;  // the low half of the next one would be zero, as in the edge of who ends
  ASSERT_TRUE(elder.tell<Go>());
  stage.world.run_for(1s);
  ASSERT_TRUE(elder.tell<Fail>());
  stage.world.run();
  server.resume();
  stage.world.run();
  EXPECT_EQ(stage.world.counters().late.value(), 1u);
  script.open_gate();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a timeout", "a cycle"}));
}

struct Customer;
// Keeps its reply where somebody else may answer it.
struct Broker {
  Script* script;
  Reply<int>* drawer;
  Ref<Customer> customer{};
  Kept<int> on(const Sum&, Context& context) { return context.keep(*drawer); }
  void on(const Ref<Customer>& whom) { customer = whom; }
  Task<void> on(const Go&);
};
struct Customer {
  Script* script;
  Ref<Broker> broker;
  Task<void> on(const Go&) {
    auto answer = co_await as_result(broker.ask<Sum>());
    script->write(answer.has_value() ? std::to_string(*answer) : std::string(to_string(answer.error().code())));
  }
  int on(const Sum&) { return 7; }
};
Task<void> Broker::on(const Go&) {
  auto answer = co_await as_result(customer.ask<Sum>().within(1min));
  script->write(answer.has_value() ? std::to_string(*answer) : std::string(to_string(answer.error().code())));
}

struct Market {
  Stage stage;
  Reply<int> drawer;
  Market() {
    auto broker = stage.world.spawn<Broker>(&stage.script("broker"), &drawer);
    auto customer = stage.world.spawn<Customer>(&stage.script("customer"), broker);
    EXPECT_TRUE(broker.tell<Ref<Customer>>(customer));
    EXPECT_TRUE(customer.tell<Go>());
    stage.world.run();
    EXPECT_TRUE(broker.tell<Go>());  // it asks who waits for the reply that it kept
    stage.world.run();
  }
};

TEST(Cycle, AR_13_who_waits_for_a_kept_reply_may_be_asked) {
  Market market;
  EXPECT_EQ(market.stage.log(), Lines{});
  market.drawer(42);
  market.stage.world.run();
  EXPECT_EQ(market.stage.log(), (Lines{"customer 42", "broker 7"}));
}

TEST(Cycle, AR_13_in_a_cycle_with_a_kept_reply_the_deadline_decides) {
  Market market;
  market.stage.world.run_for(30s);
  EXPECT_EQ(market.stage.log(), (Lines{"customer timeout", "broker 7"}));
  market.drawer(42);
  market.stage.world.run();
}

}  // namespace
}  // namespace troupe
