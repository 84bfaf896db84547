#include <troupe/runtime/event_stage_test.hpp>

namespace troupe {
namespace {

// Another thread's way into the stage: memory of its own, and actors it wakes wait for the stage's own
// thread.
class SideDoor final : public Executor {
 public:
  explicit SideDoor(Stage& stage) : worker_(*this, &stage.kernel, 0, nullptr) {}
  void enter() noexcept { current_worker = &worker_; }
  void run_woken(Stage& stage) {
    {
      const std::scoped_lock lock(mutex_);
      for (Cell* cell : std::exchange(woken_, {})) stage.executor.wake(worker_, *cell);
    }
    stage.executor.pump();
  }

  bool refill(Memory& memory, SizeClass size_class) noexcept override {
    return carve_block(arena_, memory, size_class);
  }
  void surplus(Memory&, SizeClass) noexcept override {}
  void share(Worker&) noexcept override {}
  bool park(Worker&, Instant) noexcept override { return false; }
  void wake(Worker&, Cell& cell) noexcept override {
    const std::scoped_lock lock(mutex_);
    woken_.push_back(&cell);
  }

 private:
  static constexpr std::size_t bytes = std::size_t{64} << 20;  // only what is used is ever touched
  std::unique_ptr<std::byte[]> memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  Arena arena_{memory_.get(), bytes};
  std::mutex mutex_;
  std::vector<Cell*> woken_;
  Worker worker_;
};

TEST(EventStreamThreads, SC_005_nothing_is_told_to_an_actor_after_unsubscribe_returned_while_others_publish) {
  Stage stage;
  const Ref<Quiet> actor = stage.spawn_quiet(16);
  Subscription outside = stage.stream.subscribe(kinds(EventKind::failed), 4);
  SideDoor doors[2] = {SideDoor(stage), SideDoor(stage)};
  Atomic<bool> over{false};
  std::vector<std::jthread> publishers;
  for (SideDoor& door : doors) {
    publishers.emplace_back([&] {
      door.enter();
      while (!over.load()) {
        stage.publish(EventKind::failed);
        stage.stream.publish(Dawdler());
        std::this_thread::yield();
      }
    });
  }
  const auto offered = [&] { return mailbox::offered(actor.cell().cell->word.load()); };
  const auto wait_for_events = [&](std::uint64_t more) {
    const std::uint64_t from = stage.stream.figures().published;
    while (stage.stream.figures().published < from + more) std::this_thread::yield();
  };
  unsigned told = 0;
  for (int round = 0; round < 1000; ++round) {
    const auto before = offered();
    stage.stream.subscribe(actor, all_events());
    stage.stream.subscribe_to<Dawdler>(actor);
    if (round % 4 == 0) wait_for_events(2);
    if (round % 2 == 0) {
      stage.stream.unsubscribe(actor);
      stage.stream.unsubscribe_from<Dawdler>(actor);
    } else {
      stage.stream.forget(actor.cell());
    }
    const auto after = offered();
    told += after != before;
    wait_for_events(4);
    EXPECT_EQ(offered(), after) << "a late event in round " << round;
    for (SideDoor& door : doors) door.run_woken(stage);
  }
  over.store(true);
  publishers.clear();
  EXPECT_GT(told, 100u);  // else the rounds prove nothing
  EXPECT_EQ(stage.stream.figures().subscribers, 1u);
  for (SideDoor& door : doors) door.run_woken(stage);
}

TEST(EventStreamThreads, SC_005_subscriptions_come_and_go_while_others_publish) {
  Stage stage;
  Atomic<bool> over{false};
  std::vector<std::jthread> publishers;
  publishers.reserve(2);
  for (int i = 0; i < 2; ++i) {
    publishers.emplace_back([&] {
      while (!over.load()) {
        stage.publish(EventKind::failed);
        std::this_thread::yield();
      }
    });
  }
  for (int round = 0; round < 1000; ++round) {
    Subscription mine = stage.stream.subscribe(kinds(EventKind::failed), 2);
    const auto event = mine.wait(10s);
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->kind, EventKind::failed);
  }
  over.store(true);
  publishers.clear();
  EXPECT_FALSE(stage.stream.wants(EventKind::failed));
  EXPECT_EQ(stage.stream.figures().subscribers, 0u);
}

TEST(EventStreamThreads, FR_009_each_event_is_read_or_counted_as_lost_and_publishers_wait_for_nobody) {
  Stage stage;
  constexpr std::uint64_t each = 5000;
  Subscription never_read = stage.stream.subscribe(kinds(EventKind::failed), 8);
  Subscription read = stage.stream.subscribe(kinds(EventKind::failed), 8);
  std::uint64_t got = 0;
  {
    std::vector<std::jthread> publishers;
    publishers.reserve(3);
    for (int i = 0; i < 3; ++i) {
      publishers.emplace_back([&] {
        for (std::uint64_t n = 0; n < each; ++n) stage.publish(EventKind::failed);
      });
    }
    while (stage.stream.figures().published < 3 * each) got += read.next().has_value() ? 1 : 0;
  }
  got += numbers(read).size();
  EXPECT_EQ(got + read.lost(), 3 * each);
  EXPECT_EQ(never_read.lost(), 3 * each - 8);
  const EventFigures figures = stage.stream.figures();
  EXPECT_EQ(figures.delivered + figures.lost, 2 * 3 * each);
}

TEST(EventStreamThreads, FR_009_a_waiting_subscriber_is_woken_by_an_event_and_by_the_end_of_the_stream) {
  StillClock clock;
  auto stream = std::make_unique<EventStream>(clock);
  Subscription mine = stream->subscribe(kinds(EventKind::stopped));
  Atomic<bool> got{false};
  bool ended = false;
  std::jthread reader([&] {
    got.store(mine.wait(Duration::max()).has_value());
    got.notify_one();
    ended = !mine.wait(Duration::max()).has_value();
  });
  stream->publish({.kind = EventKind::stopped});
  got.wait(false);
  stream.reset();
  reader.join();
  EXPECT_TRUE(ended);
}

TEST(EventStreamThreads, FR_009_a_wait_in_vain_ends_in_time) {
  Stage stage;
  Subscription mine = stage.stream.subscribe(all_events());
  EXPECT_EQ(mine.wait(1ms), std::nullopt);
}
}  // namespace
}  // namespace troupe
