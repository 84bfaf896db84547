// Lanes: system before high before normal, and the reserve that only high messages have.
#include <troupe/core/timer.hpp>
#include <troupe/core/turn.hpp>
#include <troupe/core/world_test.hpp>

namespace troupe {
namespace {

using namespace std::chrono_literals;

struct Note {
  int number;
};
struct Arm {};

struct Clerk {
  std::vector<int>* seen;
  void on(const Note& note) { seen->push_back(note.number); }
  void on(const Arm&, Context& context) { (void)context.after(this, 1s, Note{1000}); }
};

std::vector<int> up(int from, int to) {
  std::vector<int> numbers;
  for (int i = from; i <= to; ++i) numbers.push_back(i);
  return numbers;
}
void add(std::vector<int>& numbers, const std::vector<int>& more) {
  numbers.insert(numbers.end(), more.begin(), more.end());
}

TEST(Lane, FR_013_high_messages_go_before_normal_ones_each_lane_in_order) {
  std::vector<int> seen;
  World world;
  auto clerk = world.spawn<Clerk>(&seen);
  for (int i = 1; i <= 3; ++i) ASSERT_TRUE(clerk.tell<Note>(i));
  for (int i = 101; i <= 103; ++i) ASSERT_TRUE(clerk.tell_high<Note>(i));
  world.run();
  EXPECT_EQ(seen, (std::vector<int>{101, 102, 103, 1, 2, 3}));
}

TEST(Lane, FR_013_after_sixteen_high_messages_in_a_row_one_normal_message_runs) {
  std::vector<int> seen;
  World world;
  auto clerk = world.spawn(Props<Clerk>(&seen).mailbox(unbounded()));
  for (int i = 1; i <= 3; ++i) ASSERT_TRUE(clerk.tell<Note>(i));
  for (int i = 101; i <= 140; ++i) ASSERT_TRUE(clerk.tell_high<Note>(i));
  world.run();
  std::vector<int> expected = up(101, 116);
  expected.push_back(1);
  add(expected, up(117, 132));
  expected.push_back(2);
  add(expected, up(133, 140));
  expected.push_back(3);
  EXPECT_EQ(seen, expected);
}

TEST(Lane, FR_013_a_normal_message_in_between_begins_a_new_row) {
  std::vector<int> seen;
  World world;
  auto clerk = world.spawn(Props<Clerk>(&seen).mailbox(unbounded()));
  for (int i = 101; i <= 110; ++i) ASSERT_TRUE(clerk.tell_high<Note>(i));
  ASSERT_TRUE(clerk.tell<Note>(1));
  world.run();
  seen.clear();
  for (int i = 201; i <= 217; ++i) ASSERT_TRUE(clerk.tell_high<Note>(i));
  ASSERT_TRUE(clerk.tell<Note>(2));
  world.run();
  std::vector<int> expected = up(201, 216);
  expected.push_back(2);
  expected.push_back(217);
  EXPECT_EQ(seen, expected);
}

struct Again {};
struct Greedy {
  std::vector<int>* seen;
  int left = 40;
  void on(const Again&, Context& context) {
    seen->push_back(0);
    if (--left > 0) (void)context.self(this).template tell_high<Again>();
  }
  void on(const Note& note) { seen->push_back(note.number); }
};

TEST(Lane, FR_013_an_actor_that_tells_itself_high_messages_does_not_starve_its_normal_ones) {
  std::vector<int> seen;
  World world;
  auto greedy = world.spawn<Greedy>(&seen);
  ASSERT_TRUE(greedy.tell_high<Again>());
  ASSERT_TRUE(greedy.tell<Note>(7));
  world.run();
  ASSERT_EQ(seen.size(), 41u);
  EXPECT_EQ(seen[16], 7);
}

TEST(Lane, FR_013_normal_is_refused_at_the_capacity_high_at_capacity_and_reserve_which_is_an_event) {
  std::vector<int> seen;
  World world;
  MailboxOptions options = bounded(2);
  options.reserve = 2;
  auto clerk = world.spawn(Props<Clerk>(&seen).mailbox(options));
  ASSERT_TRUE(clerk.tell<Note>(1));
  ASSERT_TRUE(clerk.tell<Note>(2));
  EXPECT_EQ(clerk.tell<Note>(3).fate(), Fate::full);
  EXPECT_EQ(world.events.count(EventKind::reserve_exhausted), 0u);
  EXPECT_TRUE(clerk.tell_high<Note>(101));
  EXPECT_TRUE(clerk.tell_high<Note>(102));
  EXPECT_EQ(clerk.tell_high<Note>(103).fate(), Fate::full);
  EXPECT_EQ(world.events.count(EventKind::reserve_exhausted), 1u);
  world.run();
  EXPECT_EQ(seen, (std::vector<int>{101, 102, 1, 2}));
}

TEST(Lane, FR_013_both_lanes_share_one_count) {
  std::vector<int> seen;
  World world;
  MailboxOptions options = bounded(2);
  options.reserve = 2;
  auto clerk = world.spawn(Props<Clerk>(&seen).mailbox(options));
  ASSERT_TRUE(clerk.tell_high<Note>(101));
  ASSERT_TRUE(clerk.tell_high<Note>(102));
  EXPECT_EQ(clerk.tell<Note>(1).fate(), Fate::full);
}

TEST(Lane, FR_013_a_tick_needs_no_room_and_goes_before_normal_messages) {
  std::vector<int> seen;
  World world;
  MailboxOptions options = bounded(2);
  options.reserve = 0;
  auto clerk = world.spawn(Props<Clerk>(&seen).mailbox(options));
  ASSERT_TRUE(clerk.tell<Arm>());
  world.run();
  world.clock.time += 1'000'000'000;
  ASSERT_TRUE(clerk.tell<Note>(1));
  ASSERT_TRUE(clerk.tell<Note>(2));
  world.run();
  EXPECT_EQ(seen, (std::vector<int>{1000, 1, 2}));
}

TEST(Lane, FR_013_a_stop_goes_before_every_queued_message) {
  std::vector<int> seen;
  World world;
  auto clerk = world.spawn<Clerk>(&seen);
  ASSERT_TRUE(clerk.tell_high<Note>(101));
  ASSERT_TRUE(clerk.tell<Note>(1));
  clerk.stop();
  world.run();
  EXPECT_TRUE(seen.empty());
  EXPECT_EQ(world.events.dead_letters(), (Lines{"Note stopped", "Note stopped"}));
}

}  // namespace
}  // namespace troupe
