// What only real threads can show. Suites that end in Threads also run under ThreadSanitizer.
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <troupe/troupe.hpp>

namespace troupe {
namespace {

using namespace std::chrono_literals;

SystemOptions quiet() { return {.print_warnings = false}; }

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr int scale = 10;
#else
constexpr int scale = 1;
#endif
#else
constexpr int scale = 1;
#endif

struct Item {
  unsigned sender;
  unsigned count;
};
struct Total {};

// Counts, and checks that each sender's items come in order and one at a time.
struct Sink {
  std::vector<unsigned> newest = std::vector<unsigned>(16);
  std::uint64_t items = 0;
  std::uint64_t disorder = 0;
  bool busy = false;

  void on(const Item& item) {
    disorder += busy ? 1 : 0;
    busy = true;
    disorder += item.count != newest[item.sender] + 1 ? 1 : 0;
    newest[item.sender] = item.count;
    ++items;
    busy = false;
  }
  std::pair<std::uint64_t, std::uint64_t> on(const Total&) { return {items, disorder}; }
};

TEST(DeliveryThreads, AR_03_AR_04_a_million_messages_from_several_threads_keep_count_and_order) {
  System system(quiet());
  const auto sink = system.spawn(Props<Sink>().mailbox(unbounded())).value();
  constexpr unsigned senders = 4;
  constexpr unsigned each = 250'000 / scale;
  std::vector<std::thread> threads;
  for (unsigned sender = 0; sender < senders; ++sender) {
    threads.emplace_back([=] {
      for (unsigned i = 1; i <= each; ++i) ASSERT_TRUE(sink.tell<Item>(sender, i).accepted());
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto [items, disorder] = system.wait(sink.ask<Total>()).value();
  EXPECT_EQ(items, std::uint64_t{senders} * each);
  EXPECT_EQ(disorder, 0u);
}

TEST(DeliveryThreads, AR_05_under_a_bound_every_message_is_accepted_or_refused_and_the_counts_add_up) {
  System system(quiet());
  const auto sink = system.spawn(Props<Sink>().mailbox(bounded(8))).value();
  std::vector<std::thread> threads;
  Atomic<std::uint64_t> accepted{0};
  constexpr unsigned each = 50'000 / scale;
  for (unsigned sender = 0; sender < 3; ++sender) {
    threads.emplace_back([&, sender] {
      unsigned count = 0;
      for (unsigned i = 0; i < each; ++i) {
        if (sink.tell<Item>(sender, count + 1).accepted()) ++count;
      }
      accepted.fetch_add(count, order::relaxed);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const ShutdownReport report = system.shutdown(10s);
  EXPECT_TRUE(report.drained);
  const MessageFigures messages = system.figures().messages;
  EXPECT_EQ(messages.sent, 3u * each);
  EXPECT_EQ(messages.handled, accepted.load());
  EXPECT_EQ(messages.rejected, messages.sent - messages.handled);
}

TEST(DeliveryThreads, FR_015_drop_oldest_under_load_loses_only_what_it_says) {
  System system(quiet());
  const auto sink = system.spawn(Props<Sink>().mailbox(bounded(4, Overflow::drop_oldest))).value();
  std::vector<std::thread> threads;
  constexpr unsigned each = 50'000 / scale;
  for (unsigned sender = 0; sender < 3; ++sender) {
    threads.emplace_back([=] {
      for (unsigned i = 1; i <= each; ++i) ASSERT_TRUE(sink.tell<Item>(sender, i).accepted());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(system.shutdown(10s).drained);
  const MessageFigures messages = system.figures().messages;
  EXPECT_EQ(messages.sent, 3u * each);
  EXPECT_EQ(messages.handled + messages.dropped, messages.sent);
}

TEST(DeliveryThreads, FR_015_block_makes_threads_wait_and_loses_nothing) {
  System system(quiet());
  const auto sink = system.spawn(Props<Sink>().mailbox(bounded(2, Overflow::block))).value();
  std::vector<std::thread> threads;
  constexpr unsigned each = 5'000 / scale;
  for (unsigned sender = 0; sender < 3; ++sender) {
    threads.emplace_back([&system, sink, sender] {
      for (unsigned i = 1; i <= each; ++i) ASSERT_TRUE(system.wait(sink.send<Item>(sender, i)).has_value());
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto [items, disorder] = system.wait(sink.ask<Total>()).value();
  EXPECT_EQ(items, 3u * each);
  EXPECT_EQ(disorder, 0u);
}

struct Poke {};
struct Small {
  unsigned pokes = 0;
  void on(const Poke&) { ++pokes; }
  unsigned on(const Total&) { return pokes; }
};

TEST(DeliveryThreads, AR_03_a_hundred_thousand_actors_handle_ten_messages_each) {
  System system(quiet());
  constexpr int count = 100'000 / scale;
  std::vector<Ref<Small>> actors;
  actors.reserve(count);
  for (int i = 0; i < count; ++i) actors.push_back(system.spawn<Small>());
  for (int round = 0; round < 10; ++round) {
    for (const auto& actor : actors) ASSERT_TRUE(actor.tell<Poke>().accepted());
  }
  EXPECT_TRUE(system.shutdown(60s).drained);
  EXPECT_EQ(system.figures().messages.handled, 10u * count);
}

struct Constructed {
  static inline Atomic<int> constructions{0};
  Constructed() { constructions.fetch_add(1, order::relaxed); }
  void on(const Poke&) {}
};

TEST(SpawnThreads, AR_06_a_thousand_racing_creators_of_one_id_make_one_instance) {
  System system(quiet());
  Constructed::constructions = 0;
  std::vector<std::thread> threads;
  Atomic<int> disagree{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      Ref<Constructed> first;
      for (int i = 0; i < 250; ++i) {
        const auto actor = system.spawn_once(Props<Constructed>().named("only").mailbox(unbounded()));
        if (!actor.has_value() || !actor->tell<Poke>().accepted()) disagree.fetch_add(1, order::relaxed);
        if (i == 0) first = actor.value_or(Ref<Constructed>());
        if (actor.has_value() && *actor != first) disagree.fetch_add(1, order::relaxed);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(system.shutdown(10s).drained);
  EXPECT_EQ(Constructed::constructions.load(), 1);
  EXPECT_EQ(disagree.load(), 0);
}

TEST(SpawnThreads, AR_01_tells_race_with_stop_and_reuse_and_never_reach_a_stranger) {
  System system(quiet());
  std::vector<std::thread> threads;
  Atomic<std::uint64_t> accepted{0};
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5'000 / scale; ++i) {
        const auto actor = system.spawn<Small>();
        std::uint64_t count = actor.tell<Poke>().accepted() ? 1 : 0;
        actor.stop();
        count += actor.tell<Poke>().accepted() ? 1 : 0;
        accepted.fetch_add(count, order::relaxed);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  (void)system.shutdown(10s);
  const MessageFigures messages = system.figures().messages;
  EXPECT_EQ(messages.handled + messages.dead, accepted.load());
  EXPECT_EQ(messages.sent, messages.handled + messages.dead + messages.rejected);
}

struct Go {
  unsigned rounds;
};
struct Question {
  unsigned value;
};
struct Answerer {
  unsigned on(const Question& question) { return question.value + 1; }
};
struct Asker {
  Ref<Answerer> answerer;
  Task<unsigned> on(const Go& go) {
    unsigned right = 0;
    for (unsigned i = 0; i < go.rounds; ++i) {
      auto answer = co_await as_result(answerer.ask<Question>(i));
      if (answer.has_value() && *answer == i + 1) ++right;
      if (!answer.has_value() && answer.error().code() == Code::full) --i;
    }
    co_return right;
  }
};

TEST(AskThreads, AR_13_many_askers_of_one_actor_get_their_own_answers) {
  System system(quiet());
  const auto answerer = system.spawn<Answerer>();
  std::vector<Future<unsigned>> futures;
  constexpr unsigned rounds = 2'000 / scale;
  for (int i = 0; i < 16; ++i) {
    futures.push_back(system.future(system.spawn<Asker>(answerer).ask<Go>(rounds).within(60s)));
  }
  for (auto& future : futures) EXPECT_EQ(future.get().value(), rounds);
}

struct Start {};
struct Bridge {
  Task<int> on(const Start&) {
    Completion<int> done;
    std::thread([token = done.token()]() mutable { token(42); }).detach();
    auto value = co_await done;
    co_return value;
  }
};

TEST(AskThreads, AR_25_a_completion_is_fulfilled_from_any_thread) {
  System system(quiet());
  const auto bridge = system.spawn<Bridge>();
  for (int i = 0; i < 200 / scale; ++i) EXPECT_EQ(system.wait(bridge.ask<Start>()).value(), 42);
}

TEST(WakeThreads, FR_012_an_idle_system_wakes_for_every_message) {
  System system(quiet());
  const auto answerer = system.spawn<Answerer>();
  for (unsigned i = 0; i < 2'000 / scale; ++i) {
    ASSERT_EQ(system.wait(answerer.ask<Question>(i)).value(), i + 1);
  }
}

struct Block {
  Atomic<bool>* gate;
};
struct Stuck {
  void on(const Block& block) {
    while (!block.gate->load()) std::this_thread::yield();
  }
};

TEST(BulkheadThreads, AR_15_with_every_thread_of_one_dispatcher_blocked_another_goes_on) {
  Atomic<bool> gate{false};
  System system(
      {.dispatchers = {{.name = "default", .threads = 2}, {.name = "other", .threads = 1}}, .print_warnings = false});
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(system.spawn<Stuck>().tell<Block>(&gate).accepted());
  const auto answerer = system.spawn(Props<Answerer>().dispatcher("other")).value();
  for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(system.wait(answerer.ask<Question>(i)).value(), i + 1);
  gate.store(true);
}

}  // namespace
}  // namespace troupe
