// Figures of real threads, read while actors are at work.
#include <algorithm>
#include <chrono>
#include <semaphore>
#include <vector>

#include <gtest/gtest.h>

#include <troupe/troupe.hpp>

namespace troupe {
namespace {

using namespace std::chrono_literals;

constexpr unsigned share = 5;        // messages a turn
constexpr unsigned fed = 300;        // to each actor
constexpr unsigned looked_at = 100;  // the message during which the test looks

// Holds the one thread of a dispatcher up, twice: while actors are fed, and while the test looks.
struct Pauses {
  std::binary_semaphore all_fed{0};
  std::binary_semaphore reached{0};
  std::binary_semaphore looked{0};
};

struct Hold {};
struct Porter {
  Pauses* pauses;
  void on(const Hold&) { EXPECT_TRUE(pauses->all_fed.try_acquire_for(10s)); }
};

struct Job {};
struct Clerk {
  Pauses* pauses;  // of the last one only
  unsigned handled = 0;
  void on(const Job&) {
    if (++handled != looked_at || pauses == nullptr) return;
    pauses->reached.release();
    EXPECT_TRUE(pauses->looked.try_acquire_for(10s));
  }
};

// Looks in the middle, while all queues are long: at the end everybody has got everything, whatever the order was.
TEST(FiguresThreads, FR_004_three_actors_fed_alike_get_alike_at_every_moment_and_the_figures_show_it) {
  Pauses pauses;
  System system({.dispatchers = {{.name = "one", .threads = 1, .messages_per_turn = share}},
                 .mailbox = unbounded(),
                 .print_warnings = false});
  ASSERT_TRUE(system.spawn<Porter>(&pauses).tell<Hold>().accepted());
  std::vector<Ref<Clerk>> clerks;
  for (int i = 0; i < 3; ++i) {
    clerks.push_back(system.spawn(Props<Clerk>(i == 2 ? &pauses : nullptr).measured()).value());
  }
  for (unsigned i = 0; i < fed; ++i) {
    for (const auto& clerk : clerks) ASSERT_TRUE(clerk.tell<Job>().accepted());
  }
  pauses.all_fed.release();
  ASSERT_TRUE(pauses.reached.try_acquire_for(10s));
  const DispatcherFigures dispatcher = system.figures().dispatchers.at(0);
  std::vector<ActorFigures> each;
  for (const auto& clerk : clerks) each.push_back(system.figures_of(AnyRef(clerk)).value());
  pauses.looked.release();

  EXPECT_EQ(dispatcher.measured, 3u);
  EXPECT_GE(dispatcher.smallest_share, looked_at - share);
  EXPECT_LE(dispatcher.largest_share, looked_at + share);
  EXPECT_LE(dispatcher.largest_share - dispatcher.smallest_share, share);
  EXPECT_GT(dispatcher.fairness(), 0.9);
  EXPECT_EQ(dispatcher.longest_run, share);
  for (const ActorFigures& one : each) EXPECT_GT(one.queued, fed / 2);
}

struct Labour {};
struct Mason {
  void on(const Labour&) {
    const auto end = std::chrono::steady_clock::now() + 1ms;
    while (std::chrono::steady_clock::now() < end) {
    }
  }
};

TEST(FiguresThreads, AR_20_time_in_handlers_is_counted_at_the_dispatcher_where_it_was_spent) {
  System system({.dispatchers = {{.name = "busy", .threads = 1}, {.name = "idle", .threads = 1}},
                 .mailbox = unbounded(),
                 .print_warnings = false});
  const auto mason = system.spawn<Mason>();
  for (int i = 0; i < 64; ++i) ASSERT_TRUE(mason.tell<Labour>().accepted());
  ASSERT_TRUE(system.wait(mason.ask<Labour>()).has_value());
  const Figures figures = system.figures();
  const auto type = std::ranges::find(figures.types, "Mason", &TypeFigures::type);
  ASSERT_NE(type, figures.types.end());
  EXPECT_EQ(type->processed, 65u);
  EXPECT_GE(type->in_handlers, 64ms);
  ASSERT_EQ(figures.dispatchers.size(), 2u);
  EXPECT_EQ(figures.dispatchers[0].in_handlers, type->in_handlers);
  EXPECT_EQ(figures.dispatchers[1].in_handlers, 0ms);
}

}  // namespace
}  // namespace troupe
