#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

// A user's own rule: by kind of error, and by message.
Directive decide(const Error& error, std::string_view message) {
  if (message == "Probe") return Directive::escalate;
  switch (error.code()) {
    case Code::timeout:
      return Directive::resume;
    case Code::failed:
      return Directive::restart;
    default:
      return Directive::stop;
  }
}

struct Break {
  Code code;
};
struct Probe {};
struct Get {};

struct Worn {
  Lines* log;
  int messages = 0;
  Result<void> on(const Break& order) {
    ++messages;
    return Error{order.code, "broken"}.with(Severity::failure);
  }
  Result<void> on(const Probe&) { return Error{Code::failed, "broken"}; }
  int on(const Get&) { return ++messages; }
  void on(const Stopping& stopping) { log->push_back("child " + std::string(to_string(stopping.reason))); }
};

struct Owner {
  Lines* log;
  Ref<Worn> on(const Get&, Context& context) {
    return context.spawn(Props<Worn>(log).on_failure(one_for_one().decided_by(decide))).value();
  }
  void on(const Stopping& stopping) {
    if (stopping.error == nullptr) return;  // the world ends
    log->push_back("parent " + std::string(to_string(stopping.reason)) + ": " + std::string(stopping.error->text()));
  }
};

struct Shop {
  Lines log;
  World world;
  Ref<Owner> owner = world.spawn<Owner>(&log);
  Ref<Worn> child;

  Shop() {
    auto& born = world.ask(owner.ask<Get>());
    world.run();
    child = born.value();
  }
  // What the instance that answers has seen, itself included.
  int messages_seen() {
    auto& answer = world.ask(child.ask<Get>());
    world.run();
    return answer.value();
  }
};

TEST(Decider, FR_007_may_choose_resume_and_the_instance_goes_on) {
  Shop shop;
  ASSERT_TRUE(shop.child.tell<Break>(Code::timeout));
  EXPECT_EQ(shop.messages_seen(), 2);
  EXPECT_EQ(shop.log, Lines{});
}

TEST(Decider, FR_007_may_choose_restart_and_a_new_instance_answers) {
  Shop shop;
  ASSERT_TRUE(shop.child.tell<Break>(Code::failed));
  EXPECT_EQ(shop.messages_seen(), 1);
  EXPECT_EQ(shop.world.events.count(EventKind::restarted), 1u);
}

TEST(Decider, FR_007_may_choose_stop_and_the_parent_lives) {
  Shop shop;
  ASSERT_TRUE(shop.child.tell<Break>(Code::denied));
  shop.world.run();
  EXPECT_EQ(shop.log, (Lines{"child failed"}));
  EXPECT_FALSE(shop.child.tell<Break>(Code::denied));
}

TEST(Decider, FR_007_may_choose_escalate_and_the_parent_fails_of_that_cause) {
  Shop shop;
  ASSERT_TRUE(shop.child.tell<Probe>());
  shop.world.run();
  EXPECT_EQ(shop.log, (Lines{"child escalated", "parent failed: broken"}));
}

}  // namespace
}  // namespace troupe
