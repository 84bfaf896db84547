// The end of a system against those who spawn and stop its roots (rules 1 and 17 of life.md).
#include <tests/interleave/crew.hpp>
#include <tests/interleave/expect.hpp>
#include <troupe/core/orders.hpp>

namespace troupe::interleave {
namespace {

struct Note {};

struct Counts {
  Atomic<unsigned> living{0};
};

struct Root {
  explicit Root(Counts* where) : counts(where) { counts->living.fetch_add(1); }
  ~Root() { counts->living.fetch_sub(1); }
  void on(const Note&) {}
  Counts* counts;
};

struct Realm {
  explicit Realm(Scenario& scenario) : crew(scenario) {
    first = crew.spawn(Props<Root>(&counts));
    crew.settle();
    crew.know(scenario, first.cell());
    name(crew.kernel().closing, "closing");
    name(crew.kernel().spawning, "spawning");
    name(crew.kernel().ended, "ended");
    name(crew.kernel().guardian(), "guardian");
    name(*crew.kernel().guardian().side.load(), "guardian side");
  }
  // As System::shutdown does; nothing of what it waits for is left to chance.
  void shut_down() {
    Kernel& kernel = crew.kernel();
    crew.enter(0);
    kernel.begin_closing();
    wait_until([&] { return kernel.roots_have_joined(); });
    Cell& guardian = kernel.guardian();
    orders::order_stop(guardian, guardian.generation.load(order::relaxed), StopReason::shutdown);
    wait_until([&] {
      while (crew.run_ready()) {
      }
      return kernel.ended.load(order::acquire) == 1;
    });
  }
  // A root that may come too late; it is told something, and what became of that is counted.
  Ref<Root> spawn(unsigned worker) {
    crew.enter(worker);
    const auto spawned = Props<Root>(&counts).spawn(*current_worker, crew.kernel().guardian());
    if (!spawned.has_value()) {
      require(spawned.error().code() == Code::stopped, "a spawn is refused only because of the shutdown");
      return {};
    }
    spawned->tell<Note>();
    return *spawned;
  }
  void check() {
    crew.settle();
    require(crew.kernel().ended.load() == 1, "the guardian has closed");
    require(counts.living.load() == 0, "no actor outlives its system");
    require(crew.kernel().guardian().side.load()->newcomers.load() == nullptr, "and none is left at the door");
    require(crew.law_holds(), "no message without a fate");
  }

  Counts counts;
  Crew crew;
  Ref<Root> first;
};

TEST(InterleaveShutdown, a_root_is_refused_or_ends_with_its_system) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& realm = scenario.make<Realm>(scenario);
      scenario.thread("spawner", [&realm] { (void)realm.spawn(1); });
      scenario.thread("shutdown", [&realm] { realm.shut_down(); });
      scenario.finally([&realm] { realm.check(); });
    })));
  }
}

TEST(InterleaveShutdown, a_root_that_somebody_stops_ends_once) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& realm = scenario.make<Realm>(scenario);
      scenario.thread("stopper", [&realm] {
        realm.crew.enter(1);
        realm.first.stop();
        realm.crew.run_ready();
      });
      scenario.thread("shutdown", [&realm] { realm.shut_down(); });
      scenario.finally([&realm] { realm.check(); });
    })));
  }
}

// The guardian meets the newcomers before it takes a report, which may be one of theirs.
TEST(InterleaveShutdown, a_root_may_end_before_the_guardian_has_met_it) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& realm = scenario.make<Realm>(scenario);
      scenario.thread("spawner", [&realm] { realm.spawn(1).stop(); });
      scenario.thread("stopper", [&realm] {
        realm.crew.enter(2);
        realm.first.stop();
        realm.crew.run_ready();
        realm.crew.run_ready();
      });
      scenario.finally([&realm] {
        realm.crew.settle();
        const Side& guardian = *realm.crew.kernel().guardian().side.load();
        require(guardian.newcomers.load() == nullptr && guardian.children == 0, "the guardian has no child left");
        require(realm.counts.living.load() == 0, "both have ended");
        require(realm.crew.law_holds(), "no message without a fate");
      });
    })));
  }
}

}  // namespace
}  // namespace troupe::interleave
