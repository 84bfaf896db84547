// What is measured at the ready queue, the only door by which an actor becomes runnable.
#include <troupe/core/run_meter.hpp>

#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

// A stamp counts in units of about a millisecond, and two of them make a length.
constexpr Duration rounding = 3ms;

struct Queue {
  Stage stage;
  World& world{stage.world};
  Ref<Subject> subject;

  Queue() : subject(world.spawn<Subject>(&stage.script("a"))) { world.run(); }

  void tell(int messages) {
    for (int i = 0; i < messages; ++i) ASSERT_TRUE(subject.tell<Add>(i));
  }
  // The actor stands ready for so long before the worker comes to it.
  void run_after(Duration wait) {
    world.clock.time += static_cast<Instant>(wait.count());
    world.run();
  }
  [[nodiscard]] Duration waited() { return stamped_time(world.counters().waited.value()); }
  [[nodiscard]] Duration longest() { return stamped_time(world.counters().longest_wait.value()); }
};

void expect_about(Duration measured, Duration expected) {
  EXPECT_GE(measured, expected - rounding);
  EXPECT_LE(measured, expected + rounding);
}

TEST(RunMeter, FR_017_how_long_an_actor_stood_ready_is_measured_when_it_leaves_the_queue) {
  Queue queue;
  EXPECT_EQ(queue.waited(), Duration::zero());
  queue.tell(1);
  queue.run_after(3s);
  expect_about(queue.waited(), 3s);
  queue.run_after(1h);
  expect_about(queue.waited(), 3s);  // it stood in no queue
  queue.tell(1);
  queue.run_after(1s);
  expect_about(queue.waited(), 4s);
  expect_about(queue.longest(), 3s);
}

TEST(RunMeter, FR_017_messages_that_are_handled_in_one_run_wait_once) {
  Queue queue;
  const std::uint64_t runs = queue.world.counters().runs.value();
  queue.tell(10);
  queue.run_after(2s);
  expect_about(queue.waited(), 2s);
  EXPECT_EQ(queue.world.counters().runs.value(), runs + 1);
  EXPECT_EQ(queue.world.counters().longest_run.value(), 10u);
}

TEST(RunMeter, FR_017_an_actor_that_used_up_its_share_stands_in_line_again) {
  Queue queue;
  queue.world.worker().messages_per_turn = 2;
  const std::uint64_t runs = queue.world.counters().runs.value();
  queue.tell(4);  // and the look at what came counts as one
  queue.run_after(1s);
  EXPECT_EQ(queue.world.counters().runs.value(), runs + 3);
  EXPECT_EQ(queue.world.counters().full_runs.value(), 2u);
  EXPECT_EQ(queue.world.counters().longest_run.value(), 2u);
  expect_about(queue.waited(), 1s);  // its second and third run came at once
}

TEST(RunMeter, FR_017_each_actor_waits_for_itself) {
  Queue queue;
  const auto other = queue.world.spawn<Subject>(&queue.stage.script("b"));
  queue.world.run();
  queue.tell(1);
  ASSERT_TRUE(other.tell<Add>(1));
  queue.run_after(2s);
  expect_about(queue.waited(), 4s);
  expect_about(queue.longest(), 2s);
}

TEST(RunMeter, FR_017_mail_that_is_held_back_waits_for_its_actor_and_not_for_a_worker) {
  Queue queue;
  queue.subject.suspend();
  queue.world.run();
  queue.tell(1);
  queue.world.run();
  queue.world.clock.time += 3'600'000'000'000;
  queue.subject.resume();
  queue.world.run();
  EXPECT_LE(queue.waited(), rounding);
  EXPECT_EQ(queue.world.counters().handled.value(), 1u);
}

}  // namespace
}  // namespace troupe
