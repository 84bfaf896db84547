// Send: a message that waits for room under Overflow::block.
#include <troupe/core/ask.hpp>
#include <troupe/core/middleware.hpp>
#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

struct Put {
  int number;
};
struct Sender {
  Script* script;
  Ref<Subject> whom;
  Task<void> on(const Put& put) {
    auto sent = co_await as_result(whom.send<Add>(put.number).within(5s));
    script->write(std::to_string(put.number) + " " +
                  (sent.has_value() ? "sent" : std::string(to_string(sent.error().code()))));
  }
};

struct Queue {
  Stage stage;
  Script& served;
  Ref<Subject> server;
  explicit Queue(const MailboxOptions& options = bounded(1, Overflow::block), Middleware* middleware = nullptr)
      : served(stage.script("server")) {
    auto props = Props<Subject>(&served).mailbox(options);
    server = middleware == nullptr ? stage.world.spawn(std::move(props))
                                   : stage.world.spawn(std::move(props).through(*middleware));
    stage.world.run();
    server.suspend();
    stage.world.run();
    stage.forget();
  }
  Ref<Sender> sender(int number) {
    auto made = stage.world.spawn<Sender>(&stage.script("sender"), server);
    EXPECT_TRUE(made.tell<Put>(number));
    stage.world.run();
    return made;
  }
};

TEST(Send, FR_015_with_room_it_goes_on_at_once) {
  Queue queue;
  queue.sender(1);
  EXPECT_EQ(queue.stage.log(), (Lines{"sender 1 sent"}));
  EXPECT_EQ(queue.stage.world.events.count(EventKind::back_pressure), 0u);
}

TEST(Send, FR_015_without_room_it_waits_until_its_message_begins_and_hints_at_back_pressure) {
  Queue queue;
  queue.sender(1);
  queue.sender(2);
  queue.sender(3);
  EXPECT_EQ(queue.stage.log(), (Lines{"sender 1 sent"}));
  EXPECT_EQ(queue.stage.world.events.count(EventKind::back_pressure), 2u);
  EXPECT_EQ(queue.server.tell<Add>(9).fate(), Fate::full) << "a plain tell never waits";
  queue.server.resume();
  queue.stage.world.run();
  EXPECT_EQ(queue.stage.log(),
            (Lines{"server add 1", "server add 2", "server add 3", "sender 2 sent", "sender 3 sent"}));
}

struct Large {
  char bytes[512];
};
struct Big {};
struct Warehouse {
  Large on(const Big&) { return {}; }
  void on(const Add&) {}
};
struct Persistent {
  Script* script;
  Ref<Warehouse> whom;
  Task<void> on(const Put&) {
    auto request = whom.send<Big>();
    auto first = co_await as_result(request);
    script->write(first.has_value() ? "sent" : std::string(to_string(first.error().code())));
    Completion<void> later;
    token.emplace(later.token());
    co_await later;
    auto second = co_await as_result(request);
    script->write(second.has_value() ? "sent" : std::string(to_string(second.error().code())));
  }
  void on(const Add&) { (*token)(); }
  std::optional<Completion<void>::Token> token;
};

TEST(Send, FR_015_a_send_that_was_refused_may_be_tried_again_and_asks_for_no_reply_then_either) {
  Stage stage;
  const auto server = stage.world.spawn(Props<Warehouse>().mailbox(bounded(1)));
  stage.world.run();
  server.suspend();
  ASSERT_TRUE(server.tell<Add>(1));
  const auto sender = stage.world.spawn(Props<Persistent>(&stage.script("sender"), server).reentrant(2));
  ASSERT_TRUE(sender.tell<Put>(1));
  stage.world.run();
  EXPECT_EQ(stage.log().back(), "sender full");
  server.resume();
  stage.world.run();
  ASSERT_TRUE(sender.tell<Add>(1));
  stage.world.run();
  EXPECT_EQ(stage.log().back(), "sender sent");
}

TEST(Send, FR_015_its_deadline_ends_the_wait_and_the_message_is_a_dead_letter) {
  Queue queue;
  queue.sender(1);
  queue.sender(2);
  queue.stage.world.run_for(5s);
  EXPECT_EQ(queue.stage.log(), (Lines{"sender 1 sent", "sender 2 timeout"}));
  queue.server.resume();
  queue.stage.world.run();
  EXPECT_EQ(queue.stage.log(), (Lines{"server add 1"}));
  EXPECT_EQ(queue.stage.world.events.dead_letters(), (Lines{"Add expired"}));
}

TEST(Send, FR_015_a_waiting_sender_hears_that_its_target_stopped) {
  Queue queue;
  queue.sender(1);
  queue.sender(2);
  queue.stage.forget();
  queue.server.stop();
  queue.stage.world.run();
  EXPECT_EQ(queue.stage.log().back(), "sender 2 stopped");
  EXPECT_EQ(queue.stage.world.events.dead_letters(), (Lines{"Add stopped", "Add stopped"}));
}

TEST(Send, FR_015_a_sender_that_ends_while_it_waits_leaves_its_message) {
  Queue queue;
  queue.sender(1);
  auto gone = queue.sender(2);
  gone.stop();
  queue.stage.world.run();
  queue.stage.forget();
  queue.server.resume();
  queue.stage.world.run();
  EXPECT_EQ(queue.stage.log(), (Lines{"server add 1", "server add 2"}));
}

TEST(Send, FR_015_under_reject_it_is_refused_like_a_tell) {
  Queue queue(bounded(1, Overflow::reject));
  queue.sender(1);
  queue.sender(2);
  EXPECT_EQ(queue.stage.log(), (Lines{"sender 1 sent", "sender 2 full"}));
}

TEST(Send, FR_015_into_drop_oldest_nothing_comes_back) {
  struct Asker {
    Ref<Subject> whom;
    Task<void> on(const Put&) {
      co_await whom.send<Sum>();  // whose handler returns a value
    }
  };
  Queue queue(bounded(2, Overflow::drop_oldest));
  auto asker = queue.stage.world.spawn<Asker>(queue.server);
  ASSERT_TRUE(asker.tell<Put>(1));
  queue.server.resume();
  queue.stage.world.run();
  EXPECT_EQ(queue.stage.world.counters().late.value(), 0u);
  EXPECT_EQ(queue.stage.world.counters().handled.value(), 2u);
}

struct No final : Middleware {
  Result<void> before(const Passing&) noexcept override { return Error{Code::denied, "no"}; }
  void after(const Passing&) noexcept override {}
};

TEST(Send, FR_018_a_waiting_sender_whose_message_is_refused_by_middleware_hears_so) {
  static No no;
  Queue queue(bounded(1, Overflow::block), &no);
  queue.sender(1);
  queue.sender(2);
  queue.stage.forget();
  queue.server.resume();
  queue.stage.world.run();
  EXPECT_EQ(queue.stage.log(), (Lines{"sender 2 denied"}));
}

}  // namespace
}  // namespace troupe
