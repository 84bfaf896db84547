// Workers that sleep and threads outside that push work: no wake-up is lost (threads.hpp has the argument).
#include <troupe/runtime/berth.hpp>

#include <array>

#include <tests/interleave/expect.hpp>
#include <troupe/core/cell.hpp>
#include <troupe/runtime/futex.hpp>

namespace troupe::interleave {
namespace {

// A dispatcher without actors: what is pushed only has to be taken.
struct Dormitory {
  static constexpr unsigned cells = 3;

  Dormitory() {
    name(taken, "taken");
    name(ending, "ending");
    name(inbox, "inbox");
    name(sleepers, "sleepers");
    name(berths[0], "berth 0");
    name(berths[1], "berth 1");
  }
  // As Threads::wake and Threads::wake_sleeper.
  void push(unsigned cell) {
    if (inbox.push(work[cell])) wake_one();
  }
  void wake_one() {
    const unsigned position = sleepers.take();
    if (position == Sleepers::most) return;
    berths[position].wake([](Atomic<std::uint32_t>& asleep) { futex::wake_one(asleep); });
  }
  void end() {
    ending.store(true, order::seq_cst);
    for (unsigned i = 0; i < berths.size(); ++i) wake_one();
  }
  // As Threads::loop and Threads::park; `early`: the first sleep ends by itself, as by a timer.
  void work_until_the_end(unsigned worker, bool early = false) {
    for (;;) {
      for (Cell* cell = inbox.take(); cell != nullptr;) {
        Cell* next = cell->next_ready;
        taken.fetch_add(1);
        cell = next;
      }
      const bool sleeps = berths[worker].lie_down([&] { return !inbox.empty() || ending.load(order::seq_cst); });
      if (!sleeps && ending.load(order::relaxed) && inbox.empty()) return;
      if (!sleeps) continue;
      berths[worker].sleep([&](Atomic<std::uint32_t>& asleep) {
        if (!std::exchange(early, false)) futex::wait(asleep, 1);
      });
      // It would be taken for one to wake, and a busy one at that, while another one sleeps on.
      require(!alone || !sleepers.any(), "a worker that is awake stands among the sleepers");
    }
  }
  // So that the sleepers themselves, and not the end, have to take all that was pushed.
  void end_when_taken(unsigned count) {
    wait_until([&] { return taken.load() == count; });
    end();
  }

  Inbox inbox;
  Sleepers sleepers;
  std::array<Berth, 2> berths{Berth{sleepers, 0}, Berth{sleepers, 1}};
  std::array<Cell, cells> work;
  Atomic<unsigned> taken{0};
  Atomic<bool> ending{false};
  bool alone = true;  // there is one worker
};

TEST(InterleaveBerth, a_worker_that_lies_down_never_misses_a_push) {
  for (const bool weak : {false, true}) {
    for (const bool early : {false, true}) {
      EXPECT_TRUE(holds(explore({.weak_stores = weak}, [early](Scenario& scenario) {
        auto& dormitory = scenario.make<Dormitory>();
        scenario.thread("worker", [&dormitory, early] { dormitory.work_until_the_end(0, early); });
        scenario.thread("outside", [&dormitory] {
          dormitory.push(0);
          dormitory.push(1);
          dormitory.end_when_taken(2);
        });
        scenario.finally([&dormitory] { require(dormitory.taken.load() == 2, "all work was taken"); });
      })));
    }
  }
}

// Who pushes onto a full inbox relies on the first pusher.
TEST(InterleaveBerth, of_two_who_push_at_the_same_time_one_wakes_the_worker) {
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    auto& dormitory = scenario.make<Dormitory>();
    scenario.thread("worker", [&dormitory] { dormitory.work_until_the_end(0); });
    scenario.thread("first", [&dormitory] { dormitory.push(0); });
    scenario.thread("second", [&dormitory] {
      dormitory.push(1);
      dormitory.end_when_taken(2);
    });
    scenario.finally([&dormitory] { require(dormitory.taken.load() == 2, "all work was taken"); });
  })));
}

TEST(InterleaveBerth, two_workers_take_all_and_both_hear_of_the_end) {
  EXPECT_TRUE(holds(explore({.preemptions = 2}, [](Scenario& scenario) {
    auto& dormitory = scenario.make<Dormitory>();
    dormitory.alone = false;
    scenario.thread("first", [&dormitory] { dormitory.work_until_the_end(0); });
    scenario.thread("second", [&dormitory] { dormitory.work_until_the_end(1, true); });
    scenario.thread("outside", [&dormitory] {
      dormitory.push(0);
      dormitory.push(1);
      dormitory.end();
    });
    scenario.finally([&dormitory] { require(dormitory.taken.load() == 2, "all work was taken"); });
  })));
}

}  // namespace
}  // namespace troupe::interleave
