#include <troupe/core/timer.hpp>

#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

struct Beat {
  int number;
};
struct Every {
  Duration period;
};
struct Once {
  Duration delay;
  int number;
  TimerKey key;
};
struct Cancel {
  TimerKey key;
};
struct CancelOnBeat {
  TimerKey key;
};

struct Drummer {
  Lines* log;
  Instant* now;
  TimerKey on_beat{};
  void on(const Beat& beat, Context& context) {
    log->push_back(std::to_string(beat.number) + "@" + std::to_string((*now - 1'000'000'000) / 1'000'000));
    if (on_beat) context.cancel(std::exchange(on_beat, {}));
  }
  TimerKey on(const Every& every, Context& context) { return *context.every(this, every.period, Beat{0}); }
  TimerKey on(const Once& once, Context& context) {
    return *context.after(this, once.delay, Beat{once.number}, once.key);
  }
  void on(const Cancel& cancel, Context& context) { context.cancel(cancel.key); }
  void on(const CancelOnBeat& cancel) { on_beat = cancel.key; }
  Result<void> on(const Fail&) { return Error{Code::failed}; }
};

struct Band {
  Lines log;
  World world;
  Ref<Drummer> drummer;
  explicit Band(const Policy& policy = {})
      : drummer(world.spawn(Props<Drummer>(&log, &world.clock.time).on_failure(policy))) {}
  template <class M, class... Fields>
  void tell(Fields&&... fields) {
    EXPECT_TRUE(drummer.tell<M>(std::forward<Fields>(fields)...));
    world.run();
  }
};

TEST(Timer, AR_17_once_delivers_one_message_at_its_time) {
  Band band;
  band.tell<Once>(250ms, 1, TimerKey());
  band.world.run_for(10s);
  EXPECT_EQ(band.log, (Lines{"1@250"}));
}

struct ArmMany {
  int count;
};
struct CancelOdd {};
struct Crowd {
  std::vector<int>* rings;
  void on(const ArmMany& many, Context& context) {
    rings->resize(static_cast<std::size_t>(many.count));
    for (int i = 0; i < many.count; ++i)
      (void)context.after(this, 1s, Beat{i}, TimerKey(static_cast<std::uint64_t>(i)));
  }
  void on(const CancelOdd&, Context& context) {
    for (std::size_t i = 1; i < rings->size(); i += 2) context.cancel(TimerKey(i));
  }
  void on(const Beat& beat) { ++(*rings)[static_cast<std::size_t>(beat.number)]; }
};

TEST(Timer, AR_17_each_of_many_timers_is_found_by_its_key) {
  World world;
  std::vector<int> rings;
  const auto crowd = world.spawn<Crowd>(&rings);
  ASSERT_TRUE(crowd.tell<ArmMany>(5'000));
  ASSERT_TRUE(crowd.tell<CancelOdd>());
  world.run_for(2s);
  for (std::size_t i = 0; i < rings.size(); ++i) EXPECT_EQ(rings[i], i % 2 == 0 ? 1 : 0) << i;
}

TEST(Timer, AR_17_periodic_delivers_at_a_fixed_rate) {
  Band band;
  band.tell<Every>(100ms);
  band.world.run_for(350ms);
  EXPECT_EQ(band.log, (Lines{"0@100", "0@200", "0@300"}));
}

// Computes for a while before it sets its timer.
struct Slow {
  Instant* now;
  Instant* rang;
  void on(const Once& once, Context& context) {
    *now += 300'000'000;
    (void)context.after(this, once.delay, Beat{1});
  }
  void on(const Beat&) { *rang = *now; }
};

TEST(Timer, AR_17_a_timer_counts_from_when_it_is_set_however_long_the_handler_ran_before) {
  World world;
  Instant rang = 0;
  const auto slow = world.spawn<Slow>(&world.clock.time, &rang);
  const Instant began = world.clock.time;
  ASSERT_TRUE(slow.tell<Once>(200ms, 1, TimerKey()));
  world.run_for(1s);
  EXPECT_GE(rang, began + 500'000'000);
}

TEST(Timer, AR_17_what_was_missed_is_not_made_up_for_in_a_burst) {
  Band band;
  band.tell<Every>(100ms);
  band.world.clock.time += 1'050'000'000;  // nobody pumped for a second
  band.world.run();
  band.world.run_for(200ms);
  EXPECT_EQ(band.log, (Lines{"0@1050", "0@1100", "0@1200"}));
}

TEST(Timer, AR_17_cancel_ends_a_timer_by_its_key) {
  Band band;
  auto& key = band.world.ask(band.drummer.ask<Every>(100ms));
  band.tell<Once>(50ms, 7, TimerKey("other"));
  band.world.run_for(150ms);
  band.tell<Cancel>(key.value());
  band.world.run_for(1s);
  EXPECT_EQ(band.log, (Lines{"7@50", "0@100"}));
}

TEST(Timer, AR_17_a_timer_with_the_same_key_replaces_the_first) {
  Band band;
  band.tell<Once>(100ms, 1, TimerKey("key"));
  band.tell<Once>(200ms, 2, TimerKey("key"));
  band.tell<Once>(300ms, 3, TimerKey(17));
  band.world.run_for(1s);
  EXPECT_EQ(band.log, (Lines{"2@200", "3@300"}));
}

TEST(Timer, AR_17_a_cancelled_timer_that_has_fired_already_is_not_delivered) {
  Band band;
  band.tell<Once>(100ms, 1, TimerKey("first"));
  band.tell<Once>(100ms, 2, TimerKey("second"));
  band.tell<CancelOnBeat>(TimerKey("second"));
  band.world.run_for(1s);
  // Both are due at once; whichever comes first, the other one is cancelled by its handler.
  EXPECT_EQ(band.log, (Lines{"1@100"}));
}

TEST(Timer, AR_17_a_tick_that_waits_while_suspended_can_still_be_replaced) {
  Band band;
  band.tell<Once>(100ms, 1, TimerKey("key"));
  band.drummer.suspend();
  band.world.run_for(200ms);
  ASSERT_TRUE(band.drummer.tell_high<Cancel>(TimerKey("key")));
  band.drummer.resume();
  band.world.run();
  // The tick came first, so it is handled first; but a restart takes it away, see below.
  EXPECT_EQ(band.log, (Lines{"1@200"}));
}

TEST(Timer, AR_17_a_tick_that_fired_for_one_instance_is_not_delivered_to_the_next) {
  Band band(one_for_one());
  band.tell<Once>(100ms, 1, TimerKey());
  band.tell<Every>(100ms);
  ASSERT_TRUE(band.drummer.tell_high<Fail>());
  band.world.clock.time += 100'000'000;
  ASSERT_TRUE(band.world.step());  // takes the failure and both ticks
  band.world.run_for(1s);
  EXPECT_EQ(band.world.events.count(EventKind::restarted), 1u);
  EXPECT_EQ(band.log, Lines{});
}

TEST(Timer, AR_17_a_handler_may_cancel_the_timer_whose_tick_it_handles) {
  Band band;
  auto& key = band.world.ask(band.drummer.ask<Every>(100ms));
  band.world.run();
  band.tell<CancelOnBeat>(key.value());
  band.world.run_for(1s);
  EXPECT_EQ(band.log, (Lines{"0@100"}));
}

TEST(Timer, AR_17_a_period_must_be_longer_than_nothing) {
  struct Hasty {
    Lines* log;
    void on(const Tick&) {}
    void on(const Quit&, Context& context) {
      auto started = context.every(this, 0s, Tick{});
      log->push_back(started.has_value() ? "started" : std::string(to_string(started.error().code())));
    }
  };
  Lines log;
  World world;
  auto hasty = world.spawn<Hasty>(&log);
  ASSERT_TRUE(hasty.tell<Quit>());
  world.run();
  EXPECT_EQ(log, (Lines{"invalid"}));
}

TEST(Timer, AR_17_a_tick_counts_as_sent_when_it_begins) {
  Band band;
  band.tell<Once>(100ms, 1, TimerKey());
  EXPECT_EQ(band.world.counters().sent.value(), 1u);
  band.world.run_for(100ms);
  EXPECT_EQ(band.world.counters().sent.value(), 2u);
  EXPECT_EQ(band.world.counters().handled.value(), 2u);
}

TEST(Timer, AR_17_shutdown_holds_ticks) {
  Band band;
  band.tell<Every>(100ms);
  band.world.kernel().begin_closing();
  band.world.run_for(1s);
  EXPECT_EQ(band.log, Lines{});
}

TEST(Timer, AR_17_a_tick_whose_handler_waits_keeps_its_timer_from_firing_again) {
  struct Slow {
    Script* script;
    Task<void> on(const Tick&) {
      script->write("tick");
      Completion<void> opened;
      script->gate.emplace(opened.token());
      co_await opened;
    }
    void on(const Quit&, Context& context) { (void)context.every(this, 100ms, Tick{}); }
  };
  Stage stage;
  Script& script = stage.script("a");
  auto slow = stage.world.spawn<Slow>(&script);
  ASSERT_TRUE(slow.tell<Quit>());
  stage.world.run_for(1s);
  EXPECT_EQ(stage.log(), (Lines{"a tick"}));
  script.open_gate();
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.log(), (Lines{"a tick"}));
}

TEST(Timer, AR_17_a_message_that_keeps_its_reply_may_come_from_a_timer) {
  struct Keeper {
    Script* script;
    Reply<int> reply{};
    Kept<int> on(const Tick&, Context& context) {
      script->write("tick");
      return context.keep(reply);
    }
    void on(const Now& now) { reply(now.number); }
    void on(const Quit&, Context& context) { (void)context.every(this, 100ms, Tick{}); }
  };
  Stage stage;
  auto keeper = stage.world.spawn<Keeper>(&stage.script("a"));
  ASSERT_TRUE(keeper.tell<Quit>());
  stage.world.run_for(100ms);
  ASSERT_TRUE(keeper.tell<Now>(1));
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.log(), (Lines{"a tick", "a tick"}));
}

}  // namespace
}  // namespace troupe
