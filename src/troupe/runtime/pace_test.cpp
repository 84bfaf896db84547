#include <troupe/runtime/pace.hpp>

#include <gtest/gtest.h>

namespace troupe {
namespace {

Pace pace_of(Instant ns_per_run) {
  Pace pace;
  for (int i = 0; i < 200; ++i) pace.observe(10, 10 * ns_per_run);
  return pace;
}

TEST(Pace, FR_017_a_neighbour_is_woken_once_what_waits_takes_longer_than_waking_it) {
  EXPECT_EQ(pace_of(100).keeps(), 500u);
  EXPECT_EQ(pace_of(1'000).keeps(), 50u);
  EXPECT_EQ(pace_of(10'000).keeps(), 5u);
}

TEST(Pace, FR_017_a_single_actor_is_given_away_only_if_it_runs_much_longer_than_waking_takes) {
  EXPECT_EQ(pace_of(100'000).keeps(), 1u);
  EXPECT_EQ(pace_of(1'000'000).keeps(), 0u);
}

TEST(Pace, FR_017_slow_actors_make_short_batches_so_that_clock_and_inbox_are_looked_at) {
  EXPECT_EQ(pace_of(100).runs_a_batch(), 64u);
  EXPECT_EQ(pace_of(100'000).runs_a_batch(), 10u);
  EXPECT_EQ(pace_of(5'000'000).runs_a_batch(), 1u);
}

TEST(Pace, a_clock_that_stands_still_is_no_division_by_zero) {
  EXPECT_GT(pace_of(0).keeps(), 0u);
  EXPECT_EQ(pace_of(0).runs_a_batch(), 64u);
}

}  // namespace
}  // namespace troupe
