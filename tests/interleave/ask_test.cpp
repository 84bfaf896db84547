// Actors that ask each other at the same time (rule 16 of life.md): publish the edge, walk, then send.
#include <troupe/core/ask.hpp>

#include <array>
#include <chrono>

#include <tests/interleave/crew.hpp>
#include <tests/interleave/expect.hpp>
#include <troupe/core/alarm.hpp>

namespace troupe::interleave {
namespace {

struct Get {};
struct Meet {
  unsigned number;  // whom to ask
};
struct Wander {  // asks the first, who may answer too late, and then the second
  unsigned first;
  unsigned second;
};
struct Insist {  // asks, and then has the one it asked ask back
  unsigned number;
};

constexpr Duration patience = std::chrono::milliseconds(1);

enum class Outcome : std::uint8_t { none, answered, cycle, other };

struct Peer;

// Only who runs the peer of this number writes its place.
struct Circle {
  std::array<Ref<Peer>, 3> peers;
  std::array<Outcome, 3> outcomes{};
};

struct Peer {
  Circle* circle;
  unsigned number;
  bool asks_back;

  void write(const Result<int>& answer) const {
    circle->outcomes[number] = answer.has_value()                     ? Outcome::answered
                               : answer.error().code() == Code::cycle ? Outcome::cycle
                                                                      : Outcome::other;
  }
  Task<void> on(const Meet& meet) {
    const Ref<Peer> whom = circle->peers[meet.number];
    auto answer = co_await as_result(whom.ask<Get>());
    write(answer);
  }
  Task<void> on(const Wander& wander) {
    const Ref<Peer> first = circle->peers[wander.first];
    auto late = co_await as_result(first.ask<Get>().within(patience));
    const Ref<Peer> second = circle->peers[wander.second];
    auto answer = co_await as_result(second.ask<Get>());
    write(answer);
  }
  Task<void> on(const Insist& insist) {
    const Ref<Peer> whom = circle->peers[insist.number];
    auto answer = co_await as_result(whom.ask<Get>());
    write(answer);
    whom.tell<Meet>(number);
  }
  // Who answers may ask in its next turn: whoever it answered waits no longer.
  int on(const Get&) {
    if (asks_back) circle->peers[number].tell<Meet>(0u);
    return 1;
  }
};

struct Round {
  Round(Scenario& scenario, unsigned peers, bool asks_back, const MailboxOptions& mailbox = {}) : crew(scenario) {
    for (unsigned i = 0; i < peers; ++i) {
      circle.peers[i] = crew.spawn(Props<Peer>(&circle, i, asks_back && i == 1).mailbox(mailbox));
    }
    crew.settle();
    for (unsigned i = 0; i < peers; ++i) {
      crew.know(scenario, circle.peers[i].cell());
      Cell& cell = *circle.peers[i].cell().cell;
      name(cell.waits, "waits");
      scenario.constant(cell.generation);
      scenario.constant(cell.limit);
      scenario.constant(cell.type);
    }
  }
  // One peer asks another, on this worker.
  void meet(unsigned worker, unsigned who, unsigned whom, unsigned runs = 1) {
    crew.enter(worker);
    circle.peers[who].tell<Meet>(whom);
    for (unsigned i = 0; i < runs; ++i) crew.run_ready();
  }
  void check(unsigned askers) {
    crew.settle();
    for (unsigned i = 0; i < askers; ++i) {
      require(circle.outcomes[i] != Outcome::none, "deadlock: an ask was neither answered nor refused");
      require(circle.outcomes[i] != Outcome::other, "an ask fails only as part of a cycle");
    }
    for (const Ref<Peer>& peer : circle.peers) {
      require(peer.cell().cell->waits.load() == 0, "an edge outlived its ask");
    }
    require(crew.law_holds(), "no message without a fate");
  }

  Circle circle;
  Crew crew;
};

TEST(InterleaveAsk, two_that_ask_each_other_at_the_same_time_never_both_wait) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& round = scenario.make<Round>(scenario, 2u, false);
      scenario.thread("first", [&round] { round.meet(1, 0, 1); });
      scenario.thread("second", [&round] { round.meet(2, 1, 0); });
      scenario.finally([&round] { round.check(2); });
    })));
  }
}

TEST(InterleaveAsk, three_that_ask_round_in_a_circle_never_all_wait) {
  EXPECT_TRUE(holds(explore({.preemptions = 2}, [](Scenario& scenario) {
    auto& round = scenario.make<Round>(scenario, 3u, false);
    for (const unsigned i : {0u, 1u, 2u}) {
      scenario.thread("peer", [&round, i] { round.meet(i + 1, i, (i + 1) % 3); });
    }
    scenario.finally([&round] { round.check(3); });
  })));
}

// Who answers clears the edge, so one that was answered is never taken for one that waits.
TEST(InterleaveAsk, who_was_answered_may_be_asked_at_once) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& round = scenario.make<Round>(scenario, 2u, true);
      scenario.thread("asker", [&round] { round.meet(1, 0, 1, 2); });
      scenario.thread("answers", [&round] {
        round.crew.enter(2);
        round.crew.run_ready();
        round.crew.run_ready();
      });
      scenario.finally([&round] {
        round.check(2);
        require(round.circle.outcomes[0] == Outcome::answered, "the first ask is answered");
        require(round.circle.outcomes[1] == Outcome::answered, "an innocent ask was refused as a cycle");
      });
    })));
  }
}

// The edge goes before the answer leaves. Who answers here is the sender of a message that made the ask fall out of its
// mailbox; the one that was asked goes on meanwhile.
TEST(InterleaveAsk, an_answer_on_its_way_is_no_cycle) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& round = scenario.make<Round>(scenario, 2u, false, bounded(1, Overflow::drop_oldest));
      round.crew.enter(0);
      round.circle.peers[0].tell<Insist>(1u);
      round.crew.run_ready();
      scenario.thread("drops", [&round] {
        round.crew.enter(1);
        round.circle.peers[1].tell<Get>();
      });
      scenario.thread("others", [&round] {
        round.crew.enter(2);
        while (round.crew.run_ready()) {
        }
      });
      scenario.finally([&round] {
        round.check(0);
        require(round.circle.outcomes[0] != Outcome::none, "the ask was answered or dropped");
        require(round.circle.outcomes[1] != Outcome::cycle, "an innocent ask was refused as a cycle");
      });
    })));
  }
}

// The answer to an ask that has timed out meanwhile clears its own edge, never that of the next ask: the second peer
// asks back, and both would wait.
TEST(InterleaveAsk, a_late_answer_leaves_the_edge_of_the_next_ask) {
  for (const bool weak : {false, true}) {
    EXPECT_TRUE(holds(explore({.weak_stores = weak}, [](Scenario& scenario) {
      auto& round = scenario.make<Round>(scenario, 3u, false);
      round.crew.enter(1);
      const Instant asked = current_worker->now = 1'000'000'000;
      round.circle.peers[0].tell<Wander>(1u, 2u);
      round.crew.run_ready();
      scenario.thread("answers", [&round] {
        round.crew.enter(2);
        round.crew.run_ready();
      });
      scenario.thread("asker", [&round, asked] {
        round.crew.enter(1);
        current_worker->now = after(asked, patience);
        alarms::fire_due(*current_worker);
        round.crew.run_ready();
      });
      scenario.finally([&round] {
        round.circle.peers[2].tell_high<Meet>(0u);  // before it answers
        round.crew.settle();
        require(round.circle.outcomes[0] == Outcome::answered, "deadlock: the second ask was not answered");
        require(round.circle.outcomes[2] != Outcome::none, "deadlock: an ask was neither answered nor refused");
        require(round.circle.peers[0].cell().cell->waits.load() == 0, "an edge outlived its ask");
        require(round.crew.law_holds(), "no message without a fate");
      });
    })));
  }
}

// A chain is no cycle, whoever publishes first.
TEST(InterleaveAsk, a_chain_of_asks_is_never_refused) {
  EXPECT_TRUE(holds(explore({}, [](Scenario& scenario) {
    auto& round = scenario.make<Round>(scenario, 3u, false);
    scenario.thread("first", [&round] { round.meet(1, 0, 1); });
    scenario.thread("second", [&round] { round.meet(2, 1, 2); });
    scenario.finally([&round] {
      round.check(2);
      for (const unsigned i : {0u, 1u}) {
        require(round.circle.outcomes[i] == Outcome::answered, "an innocent ask was refused as a cycle");
      }
    });
  })));
}

}  // namespace
}  // namespace troupe::interleave
