// House: an actor that its owner stops, and whose cell then lives again as an actor of another class.
//
// Whoever still holds the old reference must not reach the new one, whatever he was just about to do.
#pragma once

#include <tests/interleave/crew.hpp>
#include <troupe/core/report.hpp>

namespace troupe::interleave {

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

struct House {
  explicit House(Scenario& scenario, const MailboxOptions& options = {}) : crew(scenario), mailbox(options) {
    old = crew.spawn(Props<Old>(&counts).mailbox(mailbox));
    crew.settle();
    crew.know(scenario, old.cell());
    side = old.cell().cell->side.load();
    reports::adopt_newcomers(crew.kernel().guardian());
    (void)crew.kernel().type_of(detail::class_of<New>);
    scenario.unshared(crew.kernel());
    scenario.constant(detail::class_index<New>);
  }
  void stop() {
    crew.enter(0);
    old.stop();
    // Who sends to an idle actor has to make it ready: until it has done that there is nothing to run.
    const Side& guardian = *crew.kernel().guardian().side.load();
    wait_until([&] {
      while (crew.run_ready()) {
      }
      return guardian.children == 0;
    });
  }
  void stop_and_spawn() {
    stop();
    fresh = crew.spawn(Props<New>(&counts).mailbox(mailbox));
    require(fresh.cell().cell == old.cell().cell, "the cell is used again, or the scenario shows nothing");
    require(fresh.cell().cell->side.load() == side, "and so is what lies beside it");
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
  MailboxOptions mailbox;
  Ref<Old> old;
  Ref<New> fresh;
  Side* side = nullptr;  // of the old one, if it has any from the start
};

}  // namespace troupe::interleave
