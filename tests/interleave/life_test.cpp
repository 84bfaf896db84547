// Close and reopen of a cell under those who still hold its old reference: messages, orders, bells.
#include <tests/interleave/expect.hpp>
#include <tests/interleave/house.hpp>

namespace troupe::interleave {
namespace {

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

// Nor does a refusal of the old life count for the next one's class, which may even be another system's.
TEST(InterleaveLife, a_refusal_counts_for_the_class_that_refused) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& house = scenario.make<House>(scenario, bounded(1));
      house.old.tell<Note>();
      scenario.thread("sender", [&house] {
        house.crew.enter(1);
        house.old.tell<Note>();
      });
      scenario.thread("owner", [&house] { house.stop_and_spawn(); });
      scenario.finally([&house] {
        const Type& type = *house.crew.kernel().type_of(detail::class_of<New>);
        require(type.refusals->rejected.load() == 0, "a refusal of an old life counted for the next");
        house.check_that_the_new_one_lives();
      });
    })));
  }
}

// What stays until somebody takes it back would stop the next one for ever.
TEST(InterleaveLife, a_suspension_of_an_old_life_never_reaches_the_next) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& house = scenario.make<House>(scenario);
      scenario.thread("orders", [&house] {
        house.crew.enter(1);
        house.old.suspend();
        house.old.resume();
        house.old.suspend();
      });
      scenario.thread("owner", [&house] { house.stop_and_spawn(); });
      scenario.finally([&house] { house.check_that_the_new_one_lives(); });
    })));
  }
}

// Rules 11 and 13 of mailbox.md: a bell that is on its way when the list closes rings for nobody.
TEST(InterleaveLife, a_list_that_closes_loses_no_message_that_it_took) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& house = scenario.make<House>(scenario, bounded(1, Overflow::drop_oldest));
      scenario.thread("sender", [&house] {
        house.crew.enter(1);
        house.old.tell<Note>();
        house.old.tell<Note>();
      });
      scenario.thread("owner", [&house] { house.stop(); });
      scenario.finally([&house] {
        house.crew.settle();
        require(house.crew.law_holds(), "no message without a fate");
      });
    })));
  }
}

TEST(InterleaveLife, a_bell_for_an_old_list_never_rings_in_the_next) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& house = scenario.make<House>(scenario, bounded(1, Overflow::drop_oldest));
      scenario.thread("sender", [&house] {
        house.crew.enter(1);
        house.old.tell<Note>();
        house.old.tell<Note>();
      });
      scenario.thread("owner", [&house] { house.stop_and_spawn(); });
      scenario.finally([&house] { house.check_that_the_new_one_lives(); });
    })));
  }
}

}  // namespace
}  // namespace troupe::interleave
