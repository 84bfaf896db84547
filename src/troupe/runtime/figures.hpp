// Figures: what a system has done and what it holds, as plain numbers.
//
// Read while actors run, they are exact for each counter but not a picture of one moment. When nothing runs the law
// holds: sent = handled + rejected + dropped + dead + queued.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <troupe/core/clock.hpp>

namespace troupe {

struct MessageFigures {
  std::uint64_t sent = 0;
  std::uint64_t handled = 0;
  std::uint64_t rejected = 0;
  std::uint64_t dropped = 0;
  std::uint64_t dead = 0;
  std::uint64_t queued = 0;   // waiting, stashed and in a handler
  std::uint64_t stashed = 0;  // of these
  std::uint64_t late = 0;     // replies, no messages

  [[nodiscard]] bool add_up() const noexcept { return sent == handled + rejected + dropped + dead + queued; }
};

struct TypeFigures {
  std::string type;  // the class
  std::uint64_t actors = 0;
  std::uint64_t offered = 0;  // processed, dead, rejected, dropped and queued
  std::uint64_t processed = 0;
  std::uint64_t failed = 0;
  std::uint64_t dead = 0;
  std::uint64_t rejected = 0;  // by a full mailbox
  std::uint64_t dropped = 0;   // by its policy
  std::uint64_t restarts = 0;
  std::uint64_t queued = 0;        // in mailboxes, without the stash
  std::uint64_t reserve_used = 0;  // most reserved slots of one mailbox in use at once
  std::uint64_t suspensions = 0;
  Duration suspended{};    // by suspensions that have ended
  Duration oldest{};       // how long the longest-waiting actor has stood ready, or its mail was held back
  Duration in_handlers{};  // estimated from one message in 64
};

struct DispatcherFigures {
  std::string name;
  unsigned threads = 0;
  std::uint64_t runs = 0;         // how often an actor was given a worker
  std::uint64_t full_runs = 0;    // of these: it used up its share and stood in line again
  std::uint64_t longest_run = 0;  // messages; the share that nobody exceeds
  std::uint64_t processed = 0;
  std::uint64_t failed = 0;
  std::uint64_t restarts = 0;
  std::uint64_t queued = 0;
  std::uint64_t ready = 0;  // actors that stand ready or run
  std::uint64_t parks = 0;
  std::uint64_t shared = 0;  // actors that another worker got: it slept, or theirs was held up
  Duration oldest{};
  Duration in_handlers{};
  Duration waited{};  // by all actors together, between becoming ready and running
  Duration longest_wait{};
  // Among its actors that are measured: who got the fewest and the most messages handled. Equal feeding gives equal
  // shares.
  std::uint64_t measured = 0;
  std::uint64_t smallest_share = 0;
  std::uint64_t largest_share = 0;

  // 1: all alike; 0: somebody got nothing. 1 as long as nothing is measured.
  [[nodiscard]] double fairness() const noexcept {
    return largest_share == 0 ? 1.0 : static_cast<double>(smallest_share) / static_cast<double>(largest_share);
  }
};

// Of one actor. The first three are counted if its Props say `measured`.
struct ActorFigures {
  std::uint64_t processed = 0;
  std::uint64_t runs = 0;
  Duration waited{};  // between becoming ready and running
  std::uint64_t queued = 0;
  std::uint64_t suspensions = 0;
  Duration suspended{};  // with the one that goes on
  Duration oldest{};
};

struct Figures {
  MessageFigures messages;
  std::vector<TypeFigures> types;
  std::vector<DispatcherFigures> dispatchers;
};

}  // namespace troupe
