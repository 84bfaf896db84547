#include <algorithm>
#include <semaphore>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <troupe/troupe.hpp>

namespace troupe {
namespace {

using namespace std::chrono_literals;

struct Greet {
  std::string name;
};
struct Greeter {
  std::string on(const Greet& greet) { return "Hello, " + greet.name + "!"; }
};

struct Add {
  long amount;
};
struct Get {};
struct Counter {
  long total = 0;
  void on(const Add& add) { total += add.amount; }
  long on(const Get&) { return total; }
};

SystemOptions quiet() { return {.print_warnings = false}; }

TEST(System, AR_13_a_thread_waits_for_the_answer_of_an_actor) {
  System system(quiet());
  const auto greeter = system.spawn<Greeter>();
  EXPECT_EQ(system.wait(greeter.ask<Greet>("World")).value(), "Hello, World!");
}

TEST(System, AR_13_a_future_is_ready_when_the_answer_is_there) {
  System system(quiet());
  const auto greeter = system.spawn<Greeter>();
  auto future = system.future(greeter.ask<Greet>("later"));
  EXPECT_EQ(future.get().value(), "Hello, later!");
  EXPECT_EQ(future.get().error().code(), Code::invalid) << "an answer is taken once";
}

struct Forget {};
struct Silent {
  Reply<int> kept;
  Kept<int> on(const Forget&, Context& context) { return context.keep(kept); }
};

TEST(System, AR_13_a_timeout_outside_names_who_was_asked_for_what) {
  System system(quiet());
  const auto silent = system.spawn<Silent>();
  const auto answer = system.wait(silent.ask<Forget>().within(20ms));
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code(), Code::timeout);
  EXPECT_NE(answer.error().text().find("Silent"), std::string_view::npos);
  EXPECT_NE(answer.error().text().find("Forget"), std::string_view::npos);
}

struct AskAround {};
struct Blocker {
  System* system;
  Ref<Greeter> greeter;
  Code on(const AskAround&) {
    const auto answer = system->wait(greeter.ask<Greet>("x"));
    return answer.has_value() ? Code::conflict : answer.error().code();
  }
};

TEST(System, AR_13_wait_on_a_workers_thread_is_an_error) {
  System system(quiet());
  const auto greeter = system.spawn<Greeter>();
  const auto blocker = system.spawn<Blocker>(&system, greeter);
  EXPECT_EQ(system.wait(blocker.ask<AskAround>()).value(), Code::invalid);
}

TEST(System, AR_06_a_taken_name_already_exists) {
  System system(quiet());
  ASSERT_TRUE(system.spawn(Props<Counter>().named("one")).has_value());
  const auto second = system.spawn(Props<Counter>().named("one"));
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code(), Code::already_exists);
  EXPECT_NE(second.error().text().find("counter:one"), std::string_view::npos);
}

TEST(System, AR_01_an_actor_is_found_by_its_address) {
  System system(quiet());
  const auto counter = system.spawn(Props<Counter>().named("seven")).value();
  EXPECT_EQ(system.find<Counter>("seven").value(), counter);
  EXPECT_EQ(system.find("counter:seven").value(), AnyRef(counter));
  EXPECT_EQ(system.address_of(counter), "counter:seven");
  EXPECT_EQ(system.find<Counter>("eight").error().code(), Code::not_found);
  EXPECT_EQ(system.find("counter").error().code(), Code::invalid);
}

TEST(System, AR_06_a_name_is_free_again_after_its_actor_ended) {
  System system(quiet());
  const auto first = system.spawn(Props<Counter>().named("one")).value();
  first.stop();
  Result<Ref<Counter>> second = system.spawn(Props<Counter>().named("one"));
  while (!second.has_value()) second = system.spawn(Props<Counter>().named("one"));
  EXPECT_NE(*second, first);
  EXPECT_EQ(first.tell<Add>(1).fate(), Fate::stopped);
  EXPECT_TRUE(second->tell<Add>(1).accepted());
}

TEST(System, AR_15_an_unknown_dispatcher_is_refused_and_the_known_ones_are_named) {
  System system({.dispatchers = {{.name = "default"}, {.name = "disk", .threads = 1}}, .print_warnings = false});
  const auto refused = system.spawn(Props<Counter>().dispatcher("dsik"));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), Code::not_found);
  EXPECT_NE(refused.error().text().find("disk"), std::string_view::npos);
}

TEST(System, AR_15_a_class_that_is_sent_to_an_unknown_dispatcher_is_not_spawned_elsewhere) {
  System system({.dispatcher_of = {{"counter", "dsik"}}, .print_warnings = false});
  const auto refused = system.spawn(Props<Counter>());
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), Code::not_found);
  EXPECT_EQ(system.spawn<Counter>().tell<Add>(1).fate(), Fate::not_found);
}

struct End {};
struct Ender {
  System* system;
  bool on(const End&) { return system->shutdown().drained; }
};

TEST(System, AR_16_a_shutdown_from_a_handler_is_refused_and_a_second_one_reports_the_same) {
  System system(quiet());
  EXPECT_FALSE(system.wait(system.spawn<Ender>(&system).ask<End>()).value());
  const ShutdownReport first = system.shutdown();
  EXPECT_TRUE(first.drained);
  EXPECT_EQ(system.shutdown().took, first.took);
}

struct WhichThread {};
struct Here {
  std::thread::id on(const WhichThread&) { return std::this_thread::get_id(); }
};

TEST(System, AR_15_an_actor_runs_on_the_dispatcher_of_its_props_or_its_type) {
  System system({.dispatchers = {{.name = "default"}, {.name = "disk", .threads = 1}},
                 .dispatcher_of = {{"here", "disk"}},
                 .print_warnings = false});
  std::set<std::thread::id> threads;
  for (int i = 0; i < 20; ++i) {
    const auto here = system.spawn<Here>();
    threads.insert(system.wait(here.ask<WhichThread>()).value());
  }
  EXPECT_EQ(threads.size(), 1u);
  const auto other = system.spawn(Props<Here>().dispatcher("default")).value();
  EXPECT_FALSE(threads.contains(system.wait(other.ask<WhichThread>()).value()));
}

TEST(System, FR_001_a_reference_that_escaped_is_refused_and_the_event_says_so) {
  System witness(quiet());
  auto events = witness.events().subscribe(kinds(EventKind::reference_escaped));
  Ref<Counter> kept;
  {
    System system(quiet());
    kept = system.spawn<Counter>();
    EXPECT_TRUE(kept.tell<Add>(1).accepted());
  }
  EXPECT_EQ(kept.tell<Add>(1).fate(), Fate::stopped);
  const auto event = events.next();
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->message, "Add");
  EXPECT_EQ(event->actor_type, "Counter");
  EXPECT_EQ(event->actor, AnyRef(kept));
  EXPECT_FALSE(events.next().has_value());
}

TEST(System, FR_001_a_reference_that_escaped_is_printed_where_no_system_listens) {
  Ref<Counter> kept;
  {
    System system(quiet());
    kept = system.spawn<Counter>();
  }
  testing::internal::CaptureStderr();
  EXPECT_EQ(kept.tell<Add>(1).fate(), Fate::stopped);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "troupe: Add was told to Counter, whose system has ended; keep references inside their system\n");
}

// Its end waits for the test.
struct Lingerer {
  std::binary_semaphore* ending;
  std::binary_semaphore* may_end;
  void on(const Add&) {}
  void on(const Stopping&) {
    ending->release();
    EXPECT_TRUE(may_end->try_acquire_for(10s));
  }
};

TEST(System, FR_001_while_its_system_shuts_down_a_reference_has_not_escaped) {
  std::binary_semaphore ending{0};
  std::binary_semaphore may_end{0};
  System witness(quiet());
  auto events = witness.events().subscribe(kinds(EventKind::reference_escaped));
  System system(quiet());
  const auto lingerer = system.spawn<Lingerer>(&ending, &may_end);
  std::thread outside([&] {
    EXPECT_TRUE(ending.try_acquire_for(10s));
    EXPECT_EQ(lingerer.tell<Add>(1).fate(), Fate::stopped);
    EXPECT_FALSE(events.next().has_value());
    may_end.release();
  });
  system.shutdown(10s);
  outside.join();
  EXPECT_EQ(lingerer.tell<Add>(1).fate(), Fate::stopped);
  EXPECT_TRUE(events.next().has_value());
}

TEST(System, FR_001_run_gives_back_what_its_scope_returns) {
  const int answer = run(quiet(), [](System& system) {
    const auto counter = system.spawn<Counter>();
    for (int i = 0; i < 6; ++i) (void)counter.tell<Add>(7);
    return static_cast<int>(system.wait(counter.ask<Get>()).value());
  });
  EXPECT_EQ(answer, 42);
}

struct Linger {
  std::chrono::milliseconds length;
};
struct Sleeper {
  int done = 0;
  void on(const Linger& linger) {
    std::this_thread::sleep_for(linger.length);
    ++done;
  }
};

TEST(System, AR_16_shutdown_drains_what_is_queued_and_reports_it) {
  System system(quiet());
  const auto counter = system.spawn(Props<Counter>().mailbox(unbounded())).value();
  for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(counter.tell<Add>(1).accepted());
  const ShutdownReport report = system.shutdown(10s);
  EXPECT_TRUE(report.drained);
  EXPECT_EQ(report.left, 0u);
  EXPECT_FALSE(report.forced);
  EXPECT_EQ(system.figures().messages.handled, 10'000u);
  EXPECT_EQ(counter.tell<Add>(1).fate(), Fate::stopped);
}

TEST(System, AR_16_a_shutdown_that_cannot_drain_says_what_is_left) {
  System system(quiet());
  const auto counter = system.spawn<Counter>();
  counter.suspend();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(counter.tell<Add>(1).accepted());
  const ShutdownReport report = system.shutdown(50ms);
  EXPECT_FALSE(report.drained);
  EXPECT_EQ(report.left, 5u);
  EXPECT_EQ(system.figures().messages.dead, 5u);
}

// A thread that was refused and had no luck with its time slices comes to count that when the system has ended.
TEST(System, AR_16_who_tells_from_outside_may_count_its_refusal_after_the_end) {
  CellRef counter;
  {
    System system(quiet());
    counter = system.spawn<Counter>().cell();
    ASSERT_TRUE(Ref<Counter>(counter).tell<Add>(1).accepted());
  }
  const Type& type = *counter.cell->type.load();
  turns::count_refusal(*current_worker, counter, Fate::full);
  EXPECT_EQ(type.refusals->rejected.load(), 1u);
}

TEST(System, AR_19_a_handler_over_its_time_is_reported_with_actor_and_message) {
  System system({.slow_handler_after = 20ms, .print_warnings = false});
  auto events = system.events().subscribe(kinds(EventKind::slow_handler));
  const auto sleeper = system.spawn<Sleeper>();
  ASSERT_TRUE(sleeper.tell<Linger>(800ms).accepted());
  const auto slow = events.wait(5s);
  ASSERT_TRUE(slow.has_value());
  EXPECT_EQ(slow->actor_type, "Sleeper");
  EXPECT_EQ(slow->message, "Linger");
  EXPECT_GE(slow->duration, 20ms);
}

TEST(System, AR_20_AR_26_figures_count_by_type_and_dispatcher) {
  System system(quiet());
  const auto counter = system.spawn<Counter>();
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(counter.tell<Add>(1).accepted());
  EXPECT_EQ(system.wait(counter.ask<Get>()).value(), 40);
  const Figures figures = system.figures();
  const auto type = std::ranges::find(figures.types, "Counter", &TypeFigures::type);
  ASSERT_NE(type, figures.types.end());
  EXPECT_EQ(type->processed, 41u);
  EXPECT_EQ(type->actors, 1u);
  EXPECT_EQ(type->failed, 0u);
  ASSERT_EQ(figures.dispatchers.size(), 1u);
  EXPECT_EQ(figures.dispatchers[0].name, "default");
  EXPECT_GE(figures.dispatchers[0].threads, 2u);
  EXPECT_EQ(figures.dispatchers[0].processed, 41u);
  EXPECT_TRUE(figures.messages.add_up());
}

TEST(System, FR_021_SC_006_a_hundred_actors_spawn_work_and_stop_without_an_event_loop) {
  System system(quiet());
  std::vector<Ref<Counter>> counters;
  for (int i = 0; i < 100; ++i) counters.push_back(system.spawn<Counter>());
  for (const auto& counter : counters) ASSERT_TRUE(counter.tell<Add>(1).accepted());
  for (const auto& counter : counters) EXPECT_EQ(system.wait(counter.ask<Get>()).value(), 1);
  for (const auto& counter : counters) EXPECT_TRUE(counter.stop());
  while (system.actors() > 0) std::this_thread::yield();
}

}  // namespace
}  // namespace troupe
