// The default pool: that it has threads, in the plural, treats mail alike on all of them, and lets no actor wait behind
// the handler of another while a thread is free.
#include <latch>
#include <sched.h>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <troupe/troupe.hpp>

namespace troupe {
namespace {

using namespace std::chrono_literals;

SystemOptions quiet() { return {.print_warnings = false}; }

struct Where {};
struct Visitor {
  std::thread::id on(const Where&) { return std::this_thread::get_id(); }
};

// Blocks its thread until so many are here.
struct Meet {
  std::latch* everybody;
};
struct Guest {
  std::thread::id on(const Meet& meet) {
    meet.everybody->arrive_and_wait();
    return std::this_thread::get_id();
  }
};

TEST(PoolThreads, FR_011_the_default_pool_has_two_threads_of_its_own_on_a_single_core) {
  std::thread([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    System system(quiet());
    EXPECT_EQ(system.figures().dispatchers.at(0).threads, 2u);
    std::latch both(2);
    auto first = system.future(system.spawn<Guest>().ask<Meet>(&both));
    auto second = system.future(system.spawn<Guest>().ask<Meet>(&both));
    const std::set<std::thread::id> threads{first.get().value(), second.get().value(), std::this_thread::get_id()};
    EXPECT_EQ(threads.size(), 3u);
  }).join();
}

struct Note {};
struct Count {};
struct Clerk {
  int* notes;
  void on(const Note&) { ++*notes; }
  int on(const Count&) { return *notes; }
};

TEST(PoolThreads, FR_011_suspension_is_honoured_while_the_pool_works) {
  System system(quiet());
  int held = 0;
  int passed = 0;
  const auto suspended = system.spawn<Clerk>(&held);
  std::vector<Ref<Clerk>> others;
  for (int i = 0; i < 4; ++i) others.push_back(system.spawn<Clerk>(&passed));
  for (int round = 1; round <= 100; ++round) {
    suspended.suspend();
    ASSERT_TRUE(suspended.tell<Note>());
    for (const auto& other : others) ASSERT_EQ(system.wait(other.ask<Count>()).value(), 0);
    ASSERT_EQ(held, round - 1);
    suspended.resume();
    ASSERT_EQ(system.wait(suspended.ask<Count>()).value(), round);
  }
}

struct Open {
  std::latch* gate;
};
struct Porter {
  void on(const Open& open) { open.gate->count_down(); }
};
struct Pass {};

// Makes another runnable on its own worker, and then blocks that worker until the other has run.
struct Blocker {
  Ref<Porter> porter;
  void on(const Pass&) {
    std::latch gate(2);
    porter.tell<Open>(&gate);
    gate.arrive_and_wait();
  }
};

TEST(HeldUpThreads, FR_011_what_waits_behind_a_blocked_handler_runs_on_another_thread) {
  System system(quiet());
  const auto blocker = system.spawn<Blocker>(system.spawn<Porter>());
  for (int round = 0; round < 20; ++round) ASSERT_TRUE(system.wait(blocker.ask<Pass>()).has_value());
  EXPECT_GT(system.figures().dispatchers.at(0).shared, 0u);
}

TEST(HeldUpThreads, FR_011_actors_end_beside_a_blocked_handler) {
  System system(quiet());
  std::latch gate(2);
  auto blocked = system.future(system.spawn<Guest>().ask<Meet>(&gate));
  int notes = 0;
  std::vector<Ref<Clerk>> clerks;
  for (int i = 0; i < 50; ++i) clerks.push_back(system.spawn<Clerk>(&notes));
  auto ends = system.events().subscribe(kinds(EventKind::stopped));
  for (const auto& clerk : clerks) clerk.stop();
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(ends.wait(10s)) << "only " << i << " have ended";
  gate.count_down();
  EXPECT_TRUE(blocked.get().has_value());
}

struct Ring {};
// Its timer lies in the wheel of a worker that the blocker, made runnable on the same worker, then blocks.
struct Ringer {
  Ref<Guest> blocker;
  std::latch* gate;
  void on(const Pass&, Context& context) {
    (void)context.after(this, 1ms, Ring{});
    blocker.tell<Meet>(gate);
  }
  void on(const Ring&) { gate->count_down(); }
};

TEST(HeldUpThreads, FR_011_timers_fire_though_the_worker_that_armed_them_is_blocked) {
  System system(quiet());
  for (int round = 0; round < 20; ++round) {
    std::latch gate(2);
    const auto blocker = system.spawn<Guest>();
    system.spawn<Ringer>(blocker, &gate).tell<Pass>();
    gate.wait();
    std::latch done(1);
    EXPECT_TRUE(system.wait(blocker.ask<Meet>(&done)).has_value());  // it has left the gate
  }
}

}  // namespace
}  // namespace troupe
