#include <troupe/core/wheel.hpp>

#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace troupe {
namespace {

constexpr Instant millisecond = 1'000'000;
constexpr Instant hour = 3'600'000 * millisecond;

TEST(Wheel, AR_17_a_timer_fires_exactly_when_the_clock_has_reached_its_time) {
  Wheel wheel(0);
  WheelNode node;
  wheel.arm(node, 5'000'123);
  EXPECT_EQ(wheel.next_due(), 5'000'123u);
  EXPECT_EQ(wheel.expire(5'000'122), nullptr);
  EXPECT_EQ(wheel.expire(5'000'123), &node);
  EXPECT_FALSE(node.armed());
  EXPECT_EQ(wheel.next_due(), end_of_time);
}

TEST(Wheel, AR_17_what_is_due_in_the_past_fires_at_once) {
  Wheel wheel(hour);
  WheelNode node;
  wheel.arm(node, 1);
  EXPECT_EQ(wheel.next_due(), 1u);
  EXPECT_EQ(wheel.expire(hour), &node);
}

TEST(Wheel, AR_17_a_cancelled_timer_never_fires) {
  Wheel wheel(0);
  WheelNode one;
  WheelNode other;
  wheel.arm(one, hour);
  wheel.arm(other, hour);
  wheel.cancel(one);
  EXPECT_EQ(wheel.size(), 1u);
  EXPECT_EQ(wheel.expire(2 * hour), &other);
  EXPECT_EQ(wheel.expire(2 * hour), nullptr);
}

// Beyond the reach of the last ring a timer lies in a slot that is not its own.
TEST(Wheel, AR_17_a_very_far_timer_does_not_hide_a_nearer_one) {
  Wheel wheel(0);
  WheelNode far;
  WheelNode near;
  wheel.arm(far, 5'000 * hour);
  ASSERT_EQ(wheel.expire(10 * hour), nullptr);
  wheel.arm(near, 25 * hour);
  EXPECT_EQ(wheel.next_due(), 25 * hour);
  EXPECT_EQ(wheel.expire(25 * hour), &near);
  EXPECT_EQ(wheel.next_due(), 5'000 * hour);
}

TEST(Wheel, AR_17_looking_again_and_again_reaches_a_far_timer_in_a_few_steps) {
  for (const Instant due : {5 * millisecond, 300 * millisecond, hour, 19 * hour, 1'000 * hour}) {
    Wheel wheel(0);
    WheelNode node;
    wheel.arm(node, due + 123);
    unsigned looks = 0;
    while (wheel.expire(wheel.next_look()) == nullptr) ++looks;
    EXPECT_LE(looks, 4 + due / (19 * hour)) << due;
    EXPECT_EQ(wheel.size(), 0u);
  }
}

TEST(Wheel, AR_17_pop_takes_all_that_is_left) {
  Wheel wheel(0);
  std::array<WheelNode, 3> nodes;
  wheel.arm(nodes[0], millisecond);
  wheel.arm(nodes[1], hour);
  wheel.arm(nodes[2], 1'000 * hour);
  for (int i = 0; i < 3; ++i) EXPECT_NE(wheel.pop(), nullptr);
  EXPECT_EQ(wheel.pop(), nullptr);
}

// A list that is searched from end to end.
class Model {
 public:
  void arm(WheelNode& node, Instant due) { armed_.push_back({&node, due}); }
  void cancel(WheelNode& node) {
    std::erase_if(armed_, [&](const Entry& entry) { return entry.node == &node; });
  }
  [[nodiscard]] bool is_due(WheelNode& node, Instant now) const {
    return std::any_of(armed_.begin(), armed_.end(),
                       [&](const Entry& entry) { return entry.node == &node && entry.due <= now; });
  }
  [[nodiscard]] Instant next_due() const {
    Instant earliest = end_of_time;
    for (const Entry& entry : armed_) earliest = std::min(earliest, entry.due);
    return earliest;
  }
  [[nodiscard]] std::size_t size() const { return armed_.size(); }

 private:
  struct Entry {
    WheelNode* node;
    Instant due;
  };
  std::vector<Entry> armed_;
};

void play(std::uint64_t seed) {
  SeededRandom random(seed);
  Instant now = random.below(1'000) * hour + random.below(hour);
  Wheel wheel(now);
  Model model;
  std::array<WheelNode, 40> nodes;
  const auto distance = [&] {
    const Instant scales[] = {1'000, millisecond, 300 * millisecond, 20'000 * millisecond, hour, 30 * hour, 500 * hour};
    return random.below(scales[random.below(std::size(scales))]);
  };
  for (int i = 0; i < 600; ++i) {
    WheelNode& node = nodes[random.below(nodes.size())];
    switch (random.below(4)) {
      case 0:
      case 1:
        if (node.armed()) break;
        wheel.arm(node, now + distance());
        model.arm(node, node.due);
        break;
      case 2:
        if (!node.armed()) break;
        wheel.cancel(node);
        model.cancel(node);
        break;
      default:
        now = random.below(2) == 0 && model.size() > 0 ? std::max(now, model.next_due()) : now + distance();
        while (WheelNode* due = wheel.expire(now)) {
          ASSERT_TRUE(model.is_due(*due, now)) << "seed " << seed << ", step " << i;
          model.cancel(*due);
        }
        ASSERT_GT(model.next_due(), now) << "seed " << seed << ", step " << i;
    }
    ASSERT_EQ(wheel.size(), model.size()) << "seed " << seed << ", step " << i;
    ASSERT_EQ(wheel.next_due(), model.next_due()) << "seed " << seed << ", step " << i;
    ASSERT_LE(wheel.next_look(), model.next_due()) << "seed " << seed << ", step " << i;
  }
}

TEST(Wheel, AR_17_it_does_what_a_searched_list_does_for_random_operations) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    play(seed);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace troupe
