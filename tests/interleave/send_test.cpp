// A send under Overflow::block: with room, without, and the sender that sleeps (rule 10 of mailbox.md).
#include <array>

#include <tests/interleave/caller.hpp>
#include <tests/interleave/crew.hpp>
#include <tests/interleave/expect.hpp>
#include <troupe/core/report.hpp>

namespace troupe::interleave {
namespace {

struct Note {
  unsigned sender;
  unsigned number;
};

struct Log {
  unsigned handled = 0;
  std::array<unsigned, 4> newest{};
};

struct Clerk {
  explicit Clerk(Log* where) : log(where) {}
  void on(const Note& note) {
    require(note.number == log->newest[note.sender] + 1, "the order of a sender was broken");
    log->newest[note.sender] = note.number;
    ++log->handled;
  }
  Log* log;
};

// An actor that sends, for senders that must not block their thread.
struct Write {
  unsigned notes;
};
struct Writer {
  Ref<Clerk> clerk;
  unsigned number;
  unsigned* sent;

  Task<void> on(const Write& write) {
    for (unsigned i = 1; i <= write.notes; ++i) {
      auto result = co_await as_result(clerk.send<Note>(number, i));
      require(result.has_value(), "nobody stops the clerk, so a send waits until it is taken");
      ++*sent;
    }
  }
};

struct Office {
  explicit Office(Scenario& scenario) : crew(scenario) {
    clerk = crew.spawn(Props<Clerk>(&log).mailbox(bounded(1, Overflow::block)));
    crew.settle();
    crew.know(scenario, clerk.cell());
  }
  void take_the_room(unsigned sender) {
    crew.enter(sender);
    require(clerk.tell<Note>(0u, 1u).accepted(), "there is room for the first");
  }
  // Threads outside: each sleeps until its note begins or dies.
  void send(unsigned sender, unsigned notes) {
    crew.enter(sender);
    for (unsigned i = 0; i < notes; ++i) {
      const Result<void> result = callers[sender][i].wait(clerk.send<Note>(sender, i + 1));
      if (!result.has_value()) require(result.error().code() == Code::stopped, "a send fails only at a stop");
      if (result.has_value()) ++sent[sender];
    }
  }
  // The owner's thread, until the clerk has handled so many.
  void run_until(unsigned handled) {
    crew.enter(0);
    wait_until([&] {
      while (crew.run_ready()) {
      }
      return log.handled == handled;
    });
  }
  void run_until_no_actor_is_left() {
    const Side& guardian = *crew.kernel().guardian().side.load();
    reports::adopt_newcomers(crew.kernel().guardian());
    wait_until([&] {
      while (crew.run_ready()) {
      }
      return guardian.children == 0;
    });
  }
  void check() {
    crew.settle();
    const Cell& cell = *clerk.cell().cell;
    require(mailbox::offered(cell.word.load()) == cell.released.load(), "every slot is given back");
    require(crew.law_holds(), "no message without a fate");
  }

  Log log;
  std::array<unsigned, 4> sent{};
  std::array<std::array<Caller<void>, 2>, 4> callers;
  Crew crew;
  Ref<Clerk> clerk;
};

void nobody_stops(Scenario& scenario, Office& office) {
  Cell& cell = *office.clerk.cell().cell;
  scenario.constant(cell.generation);
  scenario.constant(cell.limit);
}

TEST(InterleaveSend, a_sender_without_room_sleeps_until_its_message_begins_and_no_longer) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& office = scenario.make<Office>(scenario);
      nobody_stops(scenario, office);
      scenario.thread("sender", [&office] {
        office.take_the_room(1);
        office.send(1, 2);
      });
      scenario.thread("owner", [&office] { office.run_until(3); });
      scenario.finally([&office] {
        require(office.sent[1] == 2, "both were sent");
        office.check();
      });
    })));
  }
}

TEST(InterleaveSend, two_senders_at_one_slot_both_wake_up) {
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    auto& office = scenario.make<Office>(scenario);
    nobody_stops(scenario, office);
    scenario.thread("first", [&office] { office.send(1, 1); });
    scenario.thread("second", [&office] { office.send(2, 1); });
    scenario.thread("owner", [&office] { office.run_until(2); });
    scenario.finally([&office] {
      require(office.sent[1] == 1 && office.sent[2] == 1, "both were sent");
      office.check();
    });
  })));
}

TEST(InterleaveSend, who_stops_the_target_wakes_its_sleeping_senders) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& office = scenario.make<Office>(scenario);
      office.take_the_room(0);
      scenario.thread("sender", [&office] { office.send(1, 2); });
      scenario.thread("owner", [&office] {
        office.crew.enter(0);
        office.clerk.stop();
        office.run_until_no_actor_is_left();
      });
      scenario.finally([&office] { office.check(); });
    })));
  }
}

TEST(InterleaveSend, an_actor_that_waits_for_room_goes_on) {
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    auto& office = scenario.make<Office>(scenario);
    nobody_stops(scenario, office);
    const auto writer = office.crew.spawn(Props<Writer>(office.clerk, 1u, &office.sent[1]));
    office.crew.settle();
    office.crew.know(scenario, writer.cell());
    scenario.thread("writer", [&office, writer] {
      office.take_the_room(1);
      writer.tell<Write>(2u);
      office.crew.run_ready();
    });
    scenario.thread("owner", [&office] {
      office.crew.enter(0);
      office.crew.run_ready();
      office.crew.run_ready();
    });
    scenario.finally([&office] {
      office.check();
      require(office.sent[1] == 2, "the writer went on after each send");
      require(office.log.handled == 3, "and all its notes were handled");
    });
  })));
}

}  // namespace
}  // namespace troupe::interleave
