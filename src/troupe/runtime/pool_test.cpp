// The default pool: that it has threads, in the plural, and treats mail alike on all of them.
#include <sched.h>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <troupe/troupe.hpp>

namespace troupe {
namespace {

SystemOptions quiet() { return {.print_warnings = false}; }

struct Where {};
struct Visitor {
  std::thread::id on(const Where&) { return std::this_thread::get_id(); }
};

TEST(PoolThreads, FR_011_the_default_pool_has_two_threads_of_its_own_on_a_single_core) {
  std::thread([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    System system(quiet());
    EXPECT_EQ(system.figures().dispatchers.at(0).threads, 2u);
    std::set<std::thread::id> threads;
    for (int i = 0; i < 100; ++i) threads.insert(system.wait(system.spawn<Visitor>().ask<Where>()).value());
    EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
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

}  // namespace
}  // namespace troupe
