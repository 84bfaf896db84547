// The mailbox word under two or three threads: room, refusal, rest, the list of drop_oldest, reuse of the
// cell.
#include <array>

#include <tests/interleave/crew.hpp>
#include <tests/interleave/expect.hpp>

namespace troupe::interleave {
namespace {

struct Note {
  unsigned sender;
  unsigned number;
};

// What happened to the notes of each sender. Only the owner writes.
struct Log {
  std::array<unsigned, 4> handled{};
  std::array<unsigned, 4> newest{};
};

struct Clerk {
  static constexpr std::uint64_t alive = 0x636c65726b;
  explicit Clerk(Log* where) : log(where) {}
  ~Clerk() { here = 0; }

  void on(const Note& note) {
    require(here == alive, "a message was delivered to what is no clerk");
    require(note.number > log->newest[note.sender], "the order of a sender was broken");
    log->newest[note.sender] = note.number;
    ++log->handled[note.sender];
  }

  volatile std::uint64_t here = alive;
  Log* log;
};

// A clerk with senders that count what was accepted.
struct Office {
  Office(Scenario& scenario, const MailboxOptions& mailbox) : crew(scenario) {
    clerk = crew.spawn(Props<Clerk>(&log).mailbox(mailbox));
    crew.settle();
    crew.know(scenario, clerk.cell());
  }

  void send_one(unsigned sender, unsigned number) {
    crew.enter(sender);
    const Fate fate = clerk.tell<Note>(sender, number).fate();
    if (fate == Fate::accepted) ++accepted[sender];
    if (fate == Fate::full) ++refused[sender];
  }
  void send(unsigned sender, unsigned notes) {
    for (unsigned number = 1; number <= notes; ++number) send_one(sender, number);
  }
  void run(unsigned times) {
    crew.enter(0);
    for (unsigned i = 0; i < times; ++i) crew.run_ready();
  }
  void check() {
    crew.settle();
    const std::uint64_t dropped = crew.sum(&Counters::dropped);
    std::uint64_t handled = 0;
    std::uint64_t taken = 0;
    for (unsigned sender = 0; sender < 4; ++sender) {
      require(log.handled[sender] <= accepted[sender], "a message that was not accepted was handled");
      handled += log.handled[sender];
      taken += accepted[sender];
    }
    require(handled + dropped == taken, "an accepted message was not handled");
    const Cell& cell = *clerk.cell().cell;
    require(mailbox::offered(cell.word.load()) == cell.released.load(), "every slot is given back");
    require(crew.law_holds(), "no message without a fate");
  }

  Log log;
  std::array<unsigned, 4> accepted{};
  std::array<unsigned, 4> refused{};
  Crew crew;
  Ref<Clerk> clerk;
};

// The cell's generation and limits do not change while nobody stops it.
void nobody_stops(Scenario& scenario, Office& office) {
  Cell& cell = *office.clerk.cell().cell;
  scenario.constant(cell.generation);
  scenario.constant(cell.limit);
}

TEST(InterleaveMailbox, a_mailbox_accepts_exactly_its_capacity) {
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    auto& office = scenario.make<Office>(scenario, bounded(2));
    nobody_stops(scenario, office);
    scenario.thread("first", [&office] { office.send(1, 2); });
    scenario.thread("second", [&office] { office.send(2, 2); });
    scenario.finally([&office] {
      require(office.accepted[1] + office.accepted[2] == 2, "two were accepted");
      require(office.refused[1] + office.refused[2] == 2, "two were refused");
      office.check();
    });
  })));
}

// Rule 2: messages that come and go between two looks of a sender make the difference wrap. It takes two of
// them, since the sender looks again before it believes that there is no room.
TEST(InterleaveMailbox, who_finds_room_for_all_is_never_refused) {
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    auto& office = scenario.make<Office>(scenario, bounded(3));
    nobody_stops(scenario, office);
    scenario.thread("sender", [&office] { office.send(1, 1); });
    scenario.thread("owner", [&office] {
      for (unsigned number = 1; number <= 2; ++number) {
        office.send_one(0, number);
        office.run(1);
      }
    });
    scenario.finally([&office] {
      require(office.refused[0] + office.refused[1] == 0, "a mailbox with room answered full");
      office.check();
    });
  })));
}

TEST(InterleaveMailbox, nothing_is_lost_between_senders_and_an_owner_that_rests) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& office = scenario.make<Office>(scenario, bounded(1));
      nobody_stops(scenario, office);
      scenario.thread("sender", [&office] { office.send(1, 3); });
      scenario.thread("owner", [&office] { office.run(2); });
      scenario.finally([&office] { office.check(); });
    })));
  }
}

// Rule 11: the list of drop_oldest and the bell that stands for it in the word's chain.
TEST(InterleaveMailbox, a_list_with_messages_always_has_its_bell_on_the_way) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.preemptions = 2, .weak_stores = weak}, [](Scenario& scenario) {
      auto& office = scenario.make<Office>(scenario, bounded(1, Overflow::drop_oldest));
      nobody_stops(scenario, office);
      scenario.thread("first", [&office] { office.send(1, 1); });
      scenario.thread("second", [&office] { office.send(2, 1); });
      scenario.thread("owner", [&office] { office.run(2); });
      scenario.finally([&office] {
        require(office.accepted[1] + office.accepted[2] == 2, "drop_oldest takes every message");
        office.check();
      });
    })));
  }
}

// Rule 12: two senders that make a mailbox grow at the same time.
TEST(InterleaveMailbox, a_growing_mailbox_keeps_its_reserve_for_high_messages) {
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    auto& office = scenario.make<Office>(scenario, growing(1, 8));
    scenario.thread("first", [&office] { office.send(1, 2); });
    scenario.thread("second", [&office] { office.send(2, 2); });
    scenario.finally([&office] {
      require(office.accepted[1] + office.accepted[2] == 4, "four fit into eight");
      const Cell& cell = *office.clerk.cell().cell;
      require(cell.limit[1].load() == cell.limit[0].load() + MailboxOptions{}.reserve, "the reserve has changed");
      office.check();
    });
  })));
}

}  // namespace
}  // namespace troupe::interleave
