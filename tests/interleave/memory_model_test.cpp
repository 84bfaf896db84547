// What the checker knows about memory: the classic little programs, with the outcomes that hardware shows.
#include <tests/interleave/expect.hpp>
#include <troupe/core/atomic.hpp>

namespace troupe::interleave {
namespace {

struct Two {
  Atomic<unsigned> x{0};
  Atomic<unsigned> y{0};
  unsigned left = 0;
  unsigned right = 0;
};

Two& make_two(Scenario& scenario) {
  auto& two = scenario.make<Two>();
  name(two.x, "x");
  name(two.y, "y");
  return two;
}

void store_release(Atomic<unsigned>& variable) { variable.store(1, order::release); }
void store_seq_cst(Atomic<unsigned>& variable) { variable.store(1); }
void exchange(Atomic<unsigned>& variable) { variable.exchange(1, order::acq_rel); }
void store_and_membarrier(Atomic<unsigned>& variable) {
  variable.store(1, order::relaxed);
  membarrier();
}

// Dekker: each announces itself, then looks for the other. One of them must see the other.
using Announce = void (*)(Atomic<unsigned>&);
Exploration dekker(Announce left, Announce right, const Options& options = {}) {
  return explore(options, [=](Scenario& scenario) {
    auto& two = make_two(scenario);
    scenario.thread("left", [&two, left] {
      left(two.x);
      two.left = two.y.load(order::relaxed);
    });
    scenario.thread("right", [&two, right] {
      right(two.y);
      two.right = two.x.load(order::relaxed);
    });
    scenario.finally([&two] { require(two.left == 1 || two.right == 1, "both missed the other"); });
  });
}

TEST(InterleaveCheckerMemory, release_stores_are_overtaken_by_later_loads) {
  EXPECT_TRUE(fails(dekker(store_release, store_release), "both missed"));
  EXPECT_TRUE(fails(dekker(store_release, store_release, {.reduce = false}), "both missed"));
}

TEST(InterleaveCheckerMemory, one_strong_side_is_not_enough) {
  EXPECT_TRUE(fails(dekker(store_release, store_seq_cst), "both missed"));
  EXPECT_TRUE(fails(dekker(exchange, store_release), "both missed"));
}

TEST(InterleaveCheckerMemory, seq_cst_stores_and_exchanges_are_not_overtaken) {
  EXPECT_TRUE(holds(dekker(store_seq_cst, store_seq_cst)));
  EXPECT_TRUE(holds(dekker(store_seq_cst, exchange)));
  EXPECT_TRUE(holds(dekker(exchange, exchange)));
}

TEST(InterleaveCheckerMemory, membarrier_on_one_side_serves_both) {
  EXPECT_TRUE(holds(dekker(store_and_membarrier, store_release)));
  EXPECT_TRUE(holds(dekker(store_release, store_and_membarrier, {.reduce = false})));
}

Exploration pass_a_message(std::memory_order publish, const Options& options = {}) {
  return explore(options, [=](Scenario& scenario) {
    auto& two = make_two(scenario);
    scenario.thread("writer", [&two, publish] {
      two.x.store(42, order::relaxed);
      two.y.store(1, publish);
    });
    scenario.thread("reader", [&two] {
      if (two.y.load(order::acquire) == 1) require(two.x.load(order::relaxed) == 42, "published before written");
    });
  });
}

TEST(InterleaveCheckerMemory, messages_arrive_after_what_they_announce) {
  EXPECT_TRUE(holds(pass_a_message(order::release)));
  EXPECT_TRUE(holds(pass_a_message(order::release, {.weak_stores = true})));
}

TEST(InterleaveCheckerMemory, only_the_weak_model_needs_release_for_it) {
  EXPECT_TRUE(holds(pass_a_message(order::relaxed)));
  EXPECT_TRUE(fails(pass_a_message(order::relaxed, {.weak_stores = true}), "published before written"));
}

TEST(InterleaveCheckerMemory, in_the_weak_model_an_update_without_release_does_not_publish) {
  const auto publish = [](std::memory_order how) {
    return explore({.weak_stores = true}, [=](Scenario& scenario) {
      auto& two = make_two(scenario);
      scenario.thread("writer", [&two, how] {
        two.x.store(42, order::relaxed);
        two.y.fetch_add(1, how);
      });
      scenario.thread("reader", [&two] {
        if (two.y.load(order::acquire) == 1) require(two.x.load(order::relaxed) == 42, "published before written");
      });
    });
  };
  EXPECT_TRUE(holds(publish(order::acq_rel)));
  EXPECT_TRUE(fails(publish(order::acquire), "published before written"));
}

TEST(InterleaveCheckerMemory, a_thread_sees_its_own_stores_at_once) {
  EXPECT_TRUE(holds(explore({.weak_stores = true}, [](Scenario& scenario) {
    auto& two = make_two(scenario);
    scenario.thread("writer", [&two] {
      two.x.store(1, order::relaxed);
      two.x.store(2, order::relaxed);
      require(two.x.load(order::relaxed) == 2, "its own store");
    });
    scenario.thread("reader", [&two] {
      const unsigned first = two.x.load(order::relaxed);
      require(two.x.load(order::relaxed) >= first, "one variable never goes back");
    });
  })));
}

TEST(InterleaveCheckerMemory, all_threads_agree_on_the_order_of_two_stores) {
  // Independent reads of independent writes: two readers cannot see the writes in opposite orders.
  struct Readers : Two {
    unsigned first[2] = {};
    unsigned second[2] = {};
  };
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    auto& all = scenario.make<Readers>();
    scenario.thread("x", [&all] { all.x.store(1, order::release); });
    scenario.thread("y", [&all] { all.y.store(1, order::release); });
    scenario.thread("x then y", [&all] {
      all.first[0] = all.x.load(order::acquire);
      all.second[0] = all.y.load(order::acquire);
    });
    scenario.thread("y then x", [&all] {
      all.first[1] = all.y.load(order::acquire);
      all.second[1] = all.x.load(order::acquire);
    });
    scenario.finally([&all] {
      const bool opposite = all.first[0] == 1 && all.second[0] == 0 && all.first[1] == 1 && all.second[1] == 0;
      require(!opposite, "the readers disagree");
    });
  })));
}

TEST(InterleaveCheckerMemory, the_last_stores_of_a_thread_arrive_in_any_order_with_those_of_others) {
  const auto last_is_not = [](unsigned value) {
    return explore({.preemptions = 0}, [=](Scenario& scenario) {
      auto& two = make_two(scenario);
      scenario.thread("one", [&two] { two.x.store(1, order::relaxed); });
      scenario.thread("two", [&two] { two.x.store(2, order::relaxed); });
      scenario.finally([&two, value] { require(two.x.load() != value, "found"); });
    });
  };
  EXPECT_TRUE(fails(last_is_not(1), "found"));
  EXPECT_TRUE(fails(last_is_not(2), "found"));
}

TEST(InterleaveCheckerMemory, a_store_that_is_held_back_never_reaches_a_variable_that_is_gone) {
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    auto& two = make_two(scenario);
    scenario.thread("writer", [&two] {
      alignas(8) std::byte memory[8];
      {
        auto* local = new (memory) Atomic<std::uint64_t>(0);
        local->store(7, order::relaxed);
        local->~CheckedAtomic();
      }
      std::uint64_t reused = 1;
      std::memcpy(memory, &reused, sizeof(reused));
      two.x.exchange(1);  // would let the store arrive
      std::memcpy(&reused, memory, sizeof(reused));
      require(reused == 1, "overwritten");
    });
  })));
}

}  // namespace
}  // namespace troupe::interleave
