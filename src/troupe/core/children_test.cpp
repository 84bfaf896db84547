// Children, and what else a Context offers.
#include <troupe/core/children.hpp>

#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

struct Ping {
  int number;
};
struct Cat {
  Lines* log;
  void on(const Ping& ping) { log->push_back("cat " + std::to_string(ping.number)); }
};
struct Dog {
  Lines* log;
  void on(const Ping& ping) { log->push_back("dog " + std::to_string(ping.number)); }
};
struct Count {};
struct Feed {};
struct FeedFirst {};
struct Owner {
  Lines* log;
  void on(const Started&, Context& context) {
    for (int i = 0; i < 3; ++i) context.spawn<Cat>(log);
    context.spawn<Dog>(log);
  }
  int on(const Count&, Context& context) {
    return static_cast<int>(context.children().size() * 10 + context.children<Cat>().size());
  }
  int on(const Feed&, Context& context) {
    const DeliveryReport report = context.children<Cat>().tell(Ping{1});
    return static_cast<int>(report.accepted * 10 + report.refused);
  }
  int on(const FeedFirst&, Context& context) {
    const Ref<Cat> first = *context.children<Cat>().begin();
    const DeliveryReport report =
        context.children<Cat>().tell(Ping{2}, [first](const Ref<Cat>& cat) { return cat == first; });
    return static_cast<int>(report.offered());
  }
};

TEST(Children, AR_12_they_are_listed_and_filtered_by_class) {
  Lines log;
  World world;
  auto owner = world.spawn<Owner>(&log);
  auto& answer = world.ask(owner.ask<Count>());
  world.run();
  EXPECT_EQ(answer.value(), 43);
}

TEST(Children, AR_12_a_broadcast_by_type_reports_each_delivery) {
  Lines log;
  World world({.kernel = {.mailbox = bounded(1)}});
  auto owner = world.spawn<Owner>(&log);
  world.run();
  auto& first = world.ask(owner.ask<Feed>());
  while (!first.came()) ASSERT_TRUE(world.step());
  EXPECT_EQ(first.value(), 30);
  world.run();
  EXPECT_EQ(log, (Lines{"cat 1", "cat 1", "cat 1"}));
}

TEST(Children, AR_12_a_broadcast_counts_those_that_were_refused) {
  struct Packed {
    Lines* log;
    void on(const Started&, Context& context) {
      auto cat = context.spawn<Cat>(log);
      context.spawn<Cat>(log);
      (void)cat.tell<Ping>(0);
      const DeliveryReport report = context.children<Cat>().tell(Ping{1});
      log->push_back(std::to_string(report.accepted) + " " + std::to_string(report.refused));
    }
  };
  Lines log;
  World world({.kernel = {.mailbox = bounded(1)}});
  world.spawn<Packed>(&log);
  world.run();
  EXPECT_EQ(log.at(0), "1 1");
}

TEST(Children, AR_12_a_broadcast_by_predicate) {
  Lines log;
  World world;
  auto owner = world.spawn<Owner>(&log);
  auto& answer = world.ask(owner.ask<FeedFirst>());
  world.run();
  EXPECT_EQ(answer.value(), 1);
  EXPECT_EQ(log, (Lines{"cat 2"}));
}

TEST(Context, AR_22_it_knows_self_sender_and_parent) {
  struct Child {
    Lines* log;
    void on(const Ping&, Context& context) {
      log->push_back(context.parent() == context.sender() ? "parent sent it" : "somebody sent it");
      log->push_back(context.self(this) == Ref<Child>(context.self().cell()) ? "self" : "not self");
    }
  };
  struct Parent {
    Lines* log;
    void on(const Started&, Context& context) {
      log->push_back(context.parent() ? "has a parent" : "a root");
      (void)context.spawn<Child>(log).template tell<Ping>(1);
    }
    void on(const Ping&, Context& context) { log->push_back(context.sender() ? "sender" : "from outside"); }
  };
  Lines log;
  World world;
  auto parent = world.spawn<Parent>(&log);
  ASSERT_TRUE(parent.tell<Ping>(1));
  world.run();
  EXPECT_EQ(log, (Lines{"a root", "from outside", "parent sent it", "self"}));
}

TEST(Context, AR_22_names_need_a_system_that_keeps_them) {
  struct Parent {
    Lines* log;
    void on(const Started&, Context& context) {
      auto child = context.spawn_once(Props<Cat>(log).named("tom"));
      log->push_back(child.has_value() ? "spawned" : std::string(to_string(child.error().code())));
    }
  };
  Lines log;
  World world;
  world.spawn<Parent>(&log);
  world.run();
  EXPECT_EQ(log, (Lines{"unsupported"}));
}

TEST(Context, AR_25_after_an_await_the_context_is_the_same) {
  struct Waiting {
    Script* script;
    Task<int> on(const Hold&, Context& context) {
      const AnyRef self = context.self();
      const Instant deadline = context.deadline();
      Completion<void> opened;
      script->gate.emplace(opened.token());
      co_await opened;
      const bool same = self == context.self() && deadline == context.deadline() && context.asked();
      co_return same ? 1 : 0;
    }
  };
  Stage stage;
  Script& script = stage.script("a");
  auto waiting = stage.world.spawn<Waiting>(&script);
  auto& answer = stage.world.ask(waiting.ask<Hold>());
  stage.world.run();
  script.open_gate();
  stage.world.run();
  EXPECT_EQ(answer.value(), 1);
}

TEST(Props, FR_002_a_factory_makes_each_instance) {
  struct Numbered {
    int number;
    int on(const Count&) { return number; }
    Result<void> on(const Fail&) { return Error{Code::failed}; }
  };
  int made = 0;
  World world;
  auto numbered = world.spawn(Props<Numbered>::from([&made] { return Numbered{++made}; }).on_failure(one_for_one()));
  ASSERT_TRUE(numbered.tell<Fail>());
  auto& answer = world.ask(numbered.ask<Count>());
  world.run();
  EXPECT_EQ(answer.value(), 2);
}

TEST(Props, FR_002_props_that_are_never_spawned_give_their_memory_back) {
  Lines log;
  World world;
  {
    auto unused = Props<Cat>(&log).mailbox(bounded(3));
  }
}

}  // namespace
}  // namespace troupe
