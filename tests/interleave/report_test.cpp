// Failures and ends on their way to a parent that decides, stops or restarts its children (rules 3, 5 and 6 of
// life.md).
#include <troupe/core/report.hpp>

#include <array>

#include <tests/interleave/crew.hpp>
#include <tests/interleave/expect.hpp>

namespace troupe::interleave {
namespace {

struct Fail {};
struct Note {};

// What the instances of one child went through. Only who runs the child writes.
struct Record {
  static constexpr unsigned none = ~0u;
  unsigned living = 0;
  unsigned made = 0;
  unsigned notes = 0;
  unsigned failed_as = none;  // the incarnation that failed
};

struct Child {
  explicit Child(Record* where) : record(where) {
    ++record->made;
    require(++record->living == 1, "two instances of one actor live at the same time");
  }
  ~Child() { --record->living; }
  void on(const Started& started) { incarnation = started.incarnation; }
  void on(const Note&) { ++record->notes; }
  Result<void> on(const Fail&) {
    record->failed_as = incarnation;
    return Error{Code::failed, "asked to fail"};
  }
  Record* record;
  unsigned incarnation = 0;
};

using Records = std::array<Record, 2>;

struct Parent {
  Parent(Records* where, unsigned count, Policy how) : records(where), children(count), policy(how) {}
  ~Parent() {
    for (const Record& record : *records) require(record.living == 0, "children end before their parent");
  }
  void on(const Started&, Context& context) {
    for (unsigned i = 0; i < children; ++i) {
      require(context.spawn(Props<Child>(&(*records)[i]).on_failure(policy)).has_value(), "a child was spawned");
    }
  }
  Records* records;
  unsigned children;
  Policy policy;
};

struct Family {
  Family(Scenario& scenario, unsigned children, const Policy& policy) : crew(scenario) {
    parent = crew.spawn(Props<Parent>(&records, children, policy));
    crew.settle();
    reports::adopt_newcomers(crew.kernel().guardian());
    crew.know(scenario, parent.cell());
    Cell* child = parent.cell().cell->side.load()->first_child;
    for (unsigned i = children; i-- > 0; child = child->next_sibling) {
      siblings[i] = Ref<Child>(CellRef{child, child->generation.load()});
      crew.know(scenario, siblings[i].cell());
    }
  }
  // Makes the child fail; whoever comes first runs it.
  void fail(unsigned worker, unsigned child) {
    crew.enter(worker);
    siblings[child].tell<Fail>();
    crew.run_ready();
  }
  void check_that_all_ended() {
    crew.settle();
    require(crew.kernel().guardian().side.load()->children == 0, "parent and child have ended");
    require(records[0].living == 0, "the child's instance is gone");
    require(crew.law_holds(), "no message without a fate");
  }
  // Nobody waits for an order that will never come.
  void check_that_the_child_lives(unsigned child) {
    crew.settle();
    require(siblings[child].cell().cell->life == Life::running, "the child runs");
    const unsigned before = records[child].notes;
    require(siblings[child].tell<Note>().accepted(), "it takes messages");
    crew.settle();
    require(records[child].notes == before + 1, "and handles them");
    require(crew.law_holds(), "no message without a fate");
  }

  Records records;
  Crew crew;
  Ref<Parent> parent;
  std::array<Ref<Child>, 2> siblings;
};

TEST(InterleaveReport, a_child_that_fails_while_its_parent_stops_holds_nobody_up) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& family = scenario.make<Family>(scenario, 1u, one_for_one());
      scenario.thread("child", [&family] { family.fail(1, 0); });
      scenario.thread("parent", [&family] {
        family.crew.enter(2);
        family.parent.stop();
        family.crew.run_ready();
      });
      scenario.finally([&family] { family.check_that_all_ended(); });
    })));
  }
}

TEST(InterleaveReport, a_child_that_fails_while_somebody_stops_it_ends_once) {
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    auto& family = scenario.make<Family>(scenario, 1u, one_for_one());
    scenario.thread("child", [&family] {
      family.fail(1, 0);
      family.crew.run_ready();  // the parent, while the other thread may run the child
    });
    scenario.thread("stopper", [&family] {
      family.crew.enter(2);
      family.siblings[0].stop();
      family.crew.run_ready();
    });
    scenario.finally([&family] {
      family.crew.settle();
      require(family.parent.cell().cell->side.load()->children == 0, "the child has ended");
      require(family.records[0].living == 0, "its instance is gone");
      require(family.crew.law_holds(), "no message without a fate");
    });
  })));
}

// A newer report overwrites an older one that the parent has not taken yet, and none gets lost.
TEST(InterleaveReport, each_failure_of_a_child_gets_its_decision) {
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    auto& family = scenario.make<Family>(scenario, 1u, resume_on_error());
    scenario.thread("child", [&family] {
      family.fail(1, 0);
      family.fail(1, 0);
    });
    scenario.thread("parent", [&family] {
      family.crew.enter(2);
      family.crew.run_ready();
      family.crew.run_ready();
    });
    scenario.finally([&family] { family.check_that_the_child_lives(0); });
  })));
}

// Takes over the cell of a parent, and has no list of reporters.
struct Heir {
  explicit Heir(bool* where) : told(where) {}
  void on(const Note&) { *told = true; }
  bool* told;
  std::array<std::byte, sizeof(Parent) - sizeof(bool*)> as_large_as_a_parent{};
};

// Of children that report at the same time only the first announces it: the parent may be gone once it has taken
// what the others said, and its cell somebody else's.
TEST(InterleaveReport, no_report_is_announced_to_the_next_life_of_the_parents_cell) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.preemptions = 2, .weak_stores = weak}, [](Scenario& scenario) {
      auto& family = scenario.make<Family>(scenario, 2u, one_for_one());
      auto& told = scenario.make<bool>(false);
      auto& heir = scenario.make<Ref<Heir>>();
      (void)family.crew.kernel().type_of(detail::class_of<Heir>);
      scenario.unshared(family.crew.kernel());
      scenario.constant(detail::class_index<Heir>);
      scenario.thread("child", [&family] {
        family.crew.enter(1);
        family.siblings[0].stop();
        family.crew.run_ready();
      });
      scenario.thread("others", [&] {
        family.crew.enter(2);
        family.parent.stop();
        const Side& guardian = *family.crew.kernel().guardian().side.load();
        wait_until([&] {
          while (family.crew.run_ready()) {
          }
          return guardian.children == 0;
        });
        heir = family.crew.spawn(Props<Heir>(&told));
        while (family.crew.run_ready()) {
        }
      });
      scenario.finally([&] {
        family.crew.settle();
        require(heir.tell<Note>().accepted(), "the next one takes messages");
        family.crew.settle();
        require(told, "and handles them");
        require(family.crew.law_holds(), "no message without a fate");
      });
    })));
  }
}

// Rule 5: both reports tell of incarnation 0, and one restart of the group is the answer to both.
TEST(InterleaveReport, a_failure_of_an_older_incarnation_restarts_nobody) {
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    auto& family = scenario.make<Family>(scenario, 2u, all_for_one());
    scenario.thread("first", [&family] { family.fail(1, 0); });
    scenario.thread("second", [&family] { family.fail(2, 1); });
    scenario.finally([&family] {
      for (const unsigned child : {0u, 1u}) family.check_that_the_child_lives(child);
      const bool both_at_once = family.records[0].failed_as == 0 && family.records[1].failed_as == 0;
      const unsigned restarts = both_at_once ? 1 : 2;
      for (const unsigned child : {0u, 1u}) {
        const Cell& cell = *family.siblings[child].cell().cell;
        require(cell.incarnation == restarts, "each failed incarnation is replaced once");
      }
    });
  })));
}

}  // namespace
}  // namespace troupe::interleave
