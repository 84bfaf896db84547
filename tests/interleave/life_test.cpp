// Close and reopen of a cell under those who still hold its old reference: messages, orders, reports.
#include <tests/interleave/crew.hpp>
#include <tests/interleave/expect.hpp>
#include <troupe/core/report.hpp>

namespace troupe::interleave {
namespace {

struct Note {};

struct Counts {
  unsigned old_handled = 0;
  unsigned new_handled = 0;
};

struct Old {
  static constexpr std::uint64_t alive = 0x6f6c64;
  explicit Old(Counts* where) : counts(where) {}
  void on(const Note&) {
    require(here == alive, "a message for an old life was delivered to the next");
    ++counts->old_handled;
  }
  std::uint64_t here = alive;
  Counts* counts;
};

struct New {
  explicit New(Counts* where) : counts(where) {}
  void on(const Note&) { ++counts->new_handled; }
  std::uint64_t here = 0x6e6577;
  Counts* counts;
};

// An actor that the owner stops, and whose cell then lives again.
struct House {
  explicit House(Scenario& scenario) : crew(scenario) {
    old = crew.spawn(Props<Old>(&counts));
    crew.settle();
    crew.know(scenario, old.cell());
    reports::adopt_newcomers(crew.kernel().guardian());
    (void)crew.kernel().type_of(detail::class_of<New>);
    scenario.unshared(crew.kernel());
    scenario.constant(detail::class_index<New>);
  }
  void stop_and_spawn() {
    crew.enter(0);
    old.stop();
    // Who sends to an idle actor has to make it ready: until it has done that there is nothing to run.
    const Side& guardian = *crew.kernel().guardian().side.load();
    wait_until([&] {
      while (crew.run_ready()) {
      }
      return guardian.children == 0;
    });
    fresh = crew.spawn(Props<New>(&counts));
    require(fresh.cell().cell == old.cell().cell, "the cell is used again, or the scenario shows nothing");
    while (crew.run_ready()) {
    }
  }
  void check_that_the_new_one_lives() {
    crew.settle();
    require(fresh.tell<Note>().accepted(), "the new actor takes messages");
    crew.settle();
    require(counts.new_handled == 1, "and handles them");
    require(crew.law_holds(), "no message without a fate");
  }

  Counts counts;
  Crew crew;
  Ref<Old> old;
  Ref<New> fresh;
};

// Rule 3 of mailbox.md: counters that are never reset return a reused cell to the same word.
TEST(InterleaveLife, a_message_for_an_old_life_never_reaches_the_next) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& house = scenario.make<House>(scenario);
      scenario.thread("sender", [&house] {
        house.crew.enter(1);
        house.old.tell<Note>();
      });
      scenario.thread("owner", [&house] { house.stop_and_spawn(); });
      scenario.finally([&house] { house.check_that_the_new_one_lives(); });
    })));
  }
}

// Rule 3 of life.md: orders include the generation.
TEST(InterleaveLife, an_order_for_an_old_life_never_reaches_the_next) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& house = scenario.make<House>(scenario);
      scenario.thread("orders", [&house] {
        house.crew.enter(1);
        house.old.stop();
      });
      scenario.thread("owner", [&house] { house.stop_and_spawn(); });
      scenario.finally([&house] { house.check_that_the_new_one_lives(); });
    })));
  }
}

}  // namespace
}  // namespace troupe::interleave
