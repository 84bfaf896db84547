// What the explorer itself promises: it covers everything within its bounds, and tells what it found.
#include <array>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>

#include <tests/interleave/expect.hpp>
#include <troupe/core/atomic.hpp>

namespace troupe::interleave {
namespace {

// Threads that each make some read-modify-writes of one variable: only their order counts.
std::uint64_t orders(unsigned threads, unsigned operations, unsigned preemptions) {
  const Exploration exploration = explore({.preemptions = preemptions, .reduce = false}, [=](Scenario& scenario) {
    auto& counter = scenario.make<Atomic<unsigned>>(0u);
    for (unsigned thread = 0; thread < threads; ++thread) {
      scenario.thread("thread", [&counter, operations] {
        for (unsigned i = 0; i < operations; ++i) counter.fetch_add(1);
      });
    }
  });
  EXPECT_TRUE(holds(exploration));
  return exploration.executions;
}

constexpr unsigned many = 100;

TEST(InterleaveChecker, makes_each_order_of_the_operations_once) {
  EXPECT_EQ(orders(2, 1, many), 2u);
  EXPECT_EQ(orders(2, 2, many), 6u);   // 4! / (2! 2!)
  EXPECT_EQ(orders(2, 3, many), 20u);  // 6! / (3! 3!)
  EXPECT_EQ(orders(3, 2, many), 90u);  // 6! / (2! 2! 2!)
  EXPECT_EQ(orders(4, 2, many), 2520u);
}

TEST(InterleaveChecker, counts_as_preemption_a_switch_away_from_a_thread_that_could_go_on) {
  EXPECT_EQ(orders(2, 2, 0), 2u);  // AABB BBAA
  EXPECT_EQ(orders(2, 2, 1), 4u);  // ABBA BAAB
  EXPECT_EQ(orders(2, 2, 2), 6u);  // ABAB BABA
  EXPECT_EQ(orders(3, 1, 0), 6u);
}

TEST(InterleaveChecker, lets_a_delayed_store_arrive_at_each_possible_moment) {
  const auto executions = [](auto left, auto right) {
    return explore({.preemptions = many, .reduce = false},
                   [=](Scenario& scenario) {
                     struct Two {
                       Atomic<unsigned> x{0};
                       Atomic<unsigned> y{0};
                     };
                     auto& two = scenario.make<Two>();
                     scenario.thread("left", [&two, left] { left(two.x, two.y); });
                     scenario.thread("right", [&two, right] { right(two.y, two.x); });
                   })
        .executions;
  };
  const auto store = [](auto& own, auto&) { own.store(1, order::release); };
  const auto load = [](auto&, auto& other) { other.load(); };
  const auto both = [](auto& own, auto& other) {
    own.store(1, order::release);
    other.load();
  };
  // The load comes first, between store and arrival, or last.
  EXPECT_EQ(executions(store, load), 3u);
  // Twice a store before a load and an arrival: 6! / (3 * 3) = 80 orders, of which those six that end with
  // both arrivals are counted twice, since nobody is left to tell in which order they came.
  EXPECT_EQ(executions(both, both), 74u);
}

TEST(InterleaveChecker, visits_each_state_once_when_it_reduces) {
  const auto explore_adders = [](bool reduce) {
    return explore({.preemptions = many, .reduce = reduce}, [](Scenario& scenario) {
      auto& counters = scenario.make<std::array<Atomic<unsigned>, 3>>();
      for (auto& counter : counters) {
        scenario.thread("thread", [&counter] {
          for (int i = 0; i < 3; ++i) counter.fetch_add(1);
        });
      }
    });
  };
  const Exploration all = explore_adders(false);
  EXPECT_EQ(all.executions, 1680u);  // 9! / (3! 3! 3!)
  // Independent threads: the states are the 4 * 4 * 4 combinations of how far each is. Where two threads have
  // ended there is nothing left to choose, and who came last matters as far as it costs a preemption.
  const Exploration reduced = explore_adders(true);
  EXPECT_TRUE(holds(reduced));
  EXPECT_LE(reduced.states, 3 * 64u);
  EXPECT_LT(reduced.executions, all.executions / 5);
}

auto lost_update() {
  return [](Scenario& scenario) {
    auto& counter = scenario.make<Atomic<unsigned>>(0u);
    name(counter, "counter");
    for (const char* thread : {"first", "second"}) {
      scenario.thread(thread, [&counter] {
        note("adds one");
        counter.exchange(counter.load() + 1);
      });
    }
    scenario.finally([&counter] { require(counter.load() == 2, "lost an update"); });
  };
}

TEST(InterleaveChecker, tells_how_it_came_to_a_failure) {
  const Exploration exploration = explore({}, lost_update());
  EXPECT_EQ(exploration.failure, "lost an update");
  for (const char* part : {"first ", "second ", "-- adds one", "load counter (seq_cst) -> 0",
                           "exchange counter (seq_cst) with 0x1, was 0x1"}) {
    EXPECT_NE(exploration.timeline.find(part), std::string::npos) << part << " in\n" << exploration;
  }
}

TEST(InterleaveChecker, shows_a_schedule_with_the_fewest_preemptions) {
  EXPECT_EQ(explore({.preemptions = 3}, lost_update()).preemptions, 1u);
  EXPECT_TRUE(holds(explore({.preemptions = 0}, lost_update())));
}

TEST(InterleaveChecker, repeats_a_failure_from_its_replay_text) {
  for (const Search search : {Search::exhaustive, Search::random}) {
    const Exploration first = explore({.search = search}, lost_update());
    ASSERT_TRUE(fails(first));
    const Exploration again = explore({.search = search, .replay = first.replay}, lost_update());
    EXPECT_EQ(again.timeline, first.timeline);
    EXPECT_EQ(again.failure, first.failure);
    EXPECT_EQ(again.executions, 1u);
  }
}

TEST(InterleaveChecker, a_random_search_finds_it_too_and_depends_on_its_seed_only) {
  std::set<std::string> replays;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Options options{.preemptions = 1, .search = Search::random, .seed = seed, .executions = 1000};
    const Exploration exploration = explore(options, lost_update());
    EXPECT_TRUE(fails(exploration, "lost an update"));
    EXPECT_EQ(explore(options, lost_update()).replay, exploration.replay);
    replays.insert(exploration.replay);
  }
  EXPECT_GT(replays.size(), 1u);
}

TEST(InterleaveChecker, says_when_it_did_not_cover_everything) {
  const Exploration exploration = explore({.executions = 1}, lost_update());
  EXPECT_TRUE(exploration.passed);
  EXPECT_FALSE(exploration.complete);
  EXPECT_FALSE(holds(exploration));
}

TEST(InterleaveChecker, reports_a_deadlock) {
  EXPECT_TRUE(fails(explore({},
                            [](Scenario& scenario) {
                              auto& flag = scenario.make<Atomic<int>>(0);
                              scenario.thread("waits", [&flag] { wait(flag, 0); });
                              scenario.thread("forgets to wake", [&flag] { flag.store(1); });
                            }),
                    "deadlock"));
}

TEST(InterleaveChecker, wakes_as_many_as_asked_in_any_order) {
  std::set<unsigned> woken;
  const auto scenario = [&woken](Scenario& made) {
    struct Flag {
      Atomic<int> flag{0};
      Atomic<unsigned> resumed{0};
    };
    auto& state = made.make<Flag>();
    for (unsigned thread = 1; thread <= 2; ++thread) {
      made.thread("sleeper", [&state, thread] {
        wait(state.flag, 0);
        unsigned nobody = 0;
        state.resumed.compare_exchange_strong(nobody, thread);
      });
    }
    made.thread("waker", [&state] {
      while (wake(state.flag, 1) == 0) yield();
      wait_until([&state] { return state.resumed.load() != 0; });
      state.flag.store(1);
      wake(state.flag);
    });
    made.finally([&state, &woken] { woken.insert(state.resumed.load()); });
  };
  EXPECT_TRUE(holds(explore({.preemptions = 1}, scenario)));
  EXPECT_EQ(woken, (std::set<unsigned>{1, 2}));
}

TEST(InterleaveChecker, reports_threads_that_spin_for_ever) {
  EXPECT_TRUE(fails(explore({},
                            [](Scenario& scenario) {
                              auto& flags = scenario.make<std::array<Atomic<bool>, 2>>();
                              scenario.thread("left", [&] { wait_until([&] { return flags[0].load(); }); });
                              scenario.thread("right", [&] { wait_until([&] { return flags[1].load(); }); });
                            }),
                    "livelock"));
  EXPECT_TRUE(fails(explore({.steps = 100},
                            [](Scenario& scenario) {
                              auto& counter = scenario.make<Atomic<unsigned>>(0u);
                              scenario.thread("counts", [&] {
                                for (;;) counter.fetch_add(1);
                              });
                            }),
                    "more steps"));
}

TEST(InterleaveChecker, a_thread_that_yields_sees_what_was_stored_before) {
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    auto& flag = scenario.make<Atomic<bool>>(false);
    scenario.thread("waits", [&] { wait_until([&] { return flag.load(order::acquire); }); });
    scenario.thread("sets", [&] { flag.store(true, order::release); });
  })));
}

TEST(InterleaveChecker, fails_weak_compare_and_swaps_without_reason_as_often_as_allowed) {
  const auto attempts_are_at_most = [](unsigned allowed, unsigned spurious) {
    return explore({.spurious_failures = spurious}, [=](Scenario& scenario) {
      auto& word = scenario.make<Atomic<unsigned>>(0u);
      scenario.thread("swaps", [&word, allowed] {
        unsigned attempts = 1;
        for (unsigned seen = 0; !word.compare_exchange_weak(seen, 1); ++attempts) {
          require(seen == 0, "a spurious failure changes nothing");
        }
        require(attempts <= allowed, "too many attempts");
      });
    });
  };
  EXPECT_TRUE(holds(attempts_are_at_most(1, 0)));
  EXPECT_TRUE(fails(attempts_are_at_most(1, 1), "too many attempts"));
  EXPECT_TRUE(fails(attempts_are_at_most(2, 2), "too many attempts"));
  EXPECT_TRUE(holds(attempts_are_at_most(3, 2)));
}

TEST(InterleaveChecker, an_access_to_poisoned_memory_is_a_failure) {
  const auto use = [](bool late_store) {
    return explore({}, [=](Scenario& scenario) {
      auto& block = scenario.make<std::array<Atomic<unsigned>, 2>>();
      auto& done = scenario.make<Atomic<bool>>(false);
      name(block, "block");
      scenario.thread("user", [&, late_store] {
        if (late_store) {
          block[1].store(1, order::relaxed);
        } else if (!done.load()) {
          block[1].load();
        }
      });
      scenario.thread("frees", [&] {
        done.store(true);
        poison(&block, sizeof(block));
        unpoison(&block[0], sizeof(block[0]));
        block[0].load();
      });
    });
  };
  EXPECT_TRUE(fails(use(false), "access to poisoned memory"));
  EXPECT_TRUE(fails(use(true), "delayed store reached poisoned memory"));
}

TEST(InterleaveChecker, crashes_and_exceptions_of_a_thread_are_failures_with_a_timeline) {
  const auto run = [](void (*body)()) {
    return explore({}, [body](Scenario& scenario) {
      auto& word = scenario.make<Atomic<int>>(0);
      scenario.thread("thread", [&word, body] {
        word.store(1);
        body();
      });
    });
  };
  EXPECT_TRUE(fails(run([] { std::abort(); }), "aborted"));
  EXPECT_TRUE(fails(run([] { *static_cast<volatile int*>(nullptr) = 1; }), "SIGSEGV"));
  EXPECT_TRUE(fails(run([] { throw std::runtime_error("thrown"); }), "exception: thrown"));
  EXPECT_NE(run([] { std::abort(); }).timeline.find("store"), std::string::npos);
}

TEST(InterleaveChecker, threads_may_throw_and_catch_while_others_run) {
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    auto& word = scenario.make<Atomic<int>>(0);
    for (int thread = 0; thread < 2; ++thread) {
      scenario.thread("thread", [&word, thread] {
        try {
          throw int{thread};
        } catch (int caught) {
          word.fetch_add(1);  // the other one catches, too
          require(caught == thread, "its own exception");
          require(std::current_exception() != nullptr, "still handling it");
        }
        require(std::current_exception() == nullptr, "handled");
      });
    }
  })));
}

unsigned current_worker = 0;  // thread-local in a real program

TEST(InterleaveChecker, each_thread_has_its_own_copy_of_what_is_thread_local) {
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    current_worker = 7;
    scenario.per_thread(current_worker);
    auto& word = scenario.make<Atomic<int>>(0);
    for (unsigned thread = 0; thread < 2; ++thread) {
      scenario.thread("thread", [&word, thread] {
        require(current_worker == 7, "starts with the value of the set-up");
        current_worker = thread;
        word.fetch_add(1);
        require(current_worker == thread, "kept");
      });
    }
    scenario.finally([] { require(current_worker == 7, "the set-up keeps its own"); });
  })));
}

TEST(InterleaveChecker, unshared_variables_are_plain_and_must_not_be_shared) {
  const auto count = [](unsigned threads) {
    return explore({}, [=](Scenario& scenario) {
      auto& word = scenario.make<Atomic<unsigned>>(0u);
      auto& counter = scenario.make<Atomic<unsigned>>(0u);
      scenario.unshared(counter);
      for (unsigned thread = 0; thread < 2; ++thread) {
        scenario.thread("thread", [&, thread] {
          word.fetch_add(1);
          for (int i = 0; i < 10 && thread < threads; ++i) counter.store(counter.load() + 1, order::relaxed);
        });
      }
      scenario.finally([&] { require(counter.load() == 10, "counted"); });
    });
  };
  const Exploration exploration = count(1);
  EXPECT_TRUE(holds(exploration));
  EXPECT_EQ(exploration.executions, 2u);
  EXPECT_TRUE(fails(count(2), "two threads use"));
}

TEST(InterleaveChecker, constant_variables_are_plain_and_must_not_change) {
  const auto look = [](bool change) {
    return explore({}, [=](Scenario& scenario) {
      auto& limit = scenario.make<Atomic<unsigned>>(3u);
      scenario.constant(limit);
      for (int thread = 0; thread < 2; ++thread) {
        scenario.thread("thread", [&limit, change] {
          require(limit.load() == 3, "as it was");
          if (change) limit.exchange(4);
        });
      }
    });
  };
  EXPECT_EQ(look(false).executions, 1u);
  EXPECT_TRUE(fails(look(true), "declared as constant"));
}

TEST(InterleaveChecker, a_scenario_that_behaves_differently_each_time_is_refused) {
  unsigned executions = 0;
  EXPECT_TRUE(fails(explore({},
                            [&executions](Scenario& scenario) {
                              const unsigned operations = ++executions == 2 ? 0 : 2;
                              auto& word = scenario.make<Atomic<int>>(0);
                              for (int thread = 0; thread < 2; ++thread) {
                                scenario.thread("thread", [&word, operations] {
                                  for (unsigned i = 0; i < operations; ++i) word.fetch_add(1);
                                });
                              }
                            }),
                    "not deterministic"));
}

enum class Colour : std::uint8_t { red, green };

TEST(InterleaveChecker, outside_of_an_exploration_an_atomic_is_a_plain_variable) {
  static_assert(sizeof(Atomic<std::uint8_t>) == 1 && sizeof(Atomic<bool>) == 1 && sizeof(Atomic<Colour>) == 1);
  static_assert(sizeof(Atomic<std::uint16_t>) == 2 && sizeof(Atomic<std::uint32_t>) == 4);
  static_assert(sizeof(Atomic<std::uint64_t>) == 8 && sizeof(Atomic<int*>) == sizeof(int*));
  static constinit Atomic<int> constant{3};
  EXPECT_EQ(constant, 3);

  Atomic<std::uint8_t> small{250};
  EXPECT_EQ(small.fetch_add(10), 250);
  EXPECT_EQ(small.fetch_sub(5), 4);
  EXPECT_EQ(small.exchange(0x0f), 255);
  EXPECT_EQ(small.fetch_or(0xf0), 0x0f);
  EXPECT_EQ(small.fetch_and(0x18), 0xff);
  EXPECT_EQ(small.load(), 0x18);

  Atomic<std::int64_t> large{-1};
  std::int64_t expected = 0;
  EXPECT_FALSE(large.compare_exchange_strong(expected, 5));
  EXPECT_EQ(expected, -1);
  EXPECT_TRUE(large.compare_exchange_weak(expected, 5, order::acq_rel, order::acquire));
  EXPECT_EQ(large, 5);

  Atomic<Colour> colour{Colour::red};
  colour = Colour::green;
  EXPECT_EQ(colour.load(), Colour::green);
  int target = 0;
  Atomic<int*> pointer{nullptr};
  EXPECT_EQ(pointer.exchange(&target), nullptr);
  EXPECT_EQ(pointer.load(), &target);
}

}  // namespace
}  // namespace troupe::interleave
