// A random actor program: every feature of the runtime, in an order that a seed decides.
//
// Members of one class tell, ask, stop, suspend, watch, stash, spawn and fail each other at random. What each does is
// decided by a number in the message, so a run depends on nothing but its seed. While it runs, the members check what
// no run may break; at the end the ledger checks the rest.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <troupe/runtime/testkit.hpp>
#include <troupe/troupe.hpp>

namespace troupe::seeds {

class Member;

// What all members of one run share: who there is, and what went wrong.
class Ledger {
 public:
  void complain(std::string what) {
    if (complaints.size() < 5) complaints.push_back(std::move(what));
  }
  [[nodiscard]] bool spend() noexcept {
    if (budget <= 0) return false;
    --budget;
    return true;
  }

  std::vector<Ref<Member>> members;
  std::vector<Ref<Member>> suspended;
  std::map<std::uint64_t, int> instances;  // member: how many live
  std::map<std::uint64_t, std::uint64_t> parent_of;
  std::map<std::uint64_t, int> open_turns;  // member: handlers begun and not ended
  std::set<std::uint64_t> has_stashed;      // members whose order a stash has changed
  int payloads = 0;                         // message bodies alive
  bool cut = false;                         // the power has failed
  int asks_open = 0;
  std::uint64_t next_member = 1;
  std::uint64_t next_instance = 1;
  int budget = 400;
  std::vector<std::string> complaints;
};

// A message body that knows whether it is alive, so that none is lost or destroyed twice.
class Body {
 public:
  explicit Body(Ledger& ledger) noexcept : ledger_(&ledger) { ++ledger_->payloads; }
  Body(const Body& other) noexcept : ledger_(other.ledger_) { ++ledger_->payloads; }
  Body& operator=(const Body&) noexcept = default;
  Body(Body&& other) noexcept : ledger_(other.ledger_) { ++ledger_->payloads; }
  Body& operator=(Body&&) noexcept = default;
  ~Body() { --ledger_->payloads; }

 private:
  Ledger* ledger_;
};

struct Do {
  std::uint64_t dice;
  unsigned depth;
  std::uint64_t from;  // member number, and its count of messages to this one: per-pair order
  std::uint64_t count;
  Body body;
};
struct Question {
  std::uint64_t dice;
  unsigned depth;
  Body body;
};
struct Wake {};

// How one seed's run went.
struct Outcome {
  std::uint64_t hash = 0;
  std::uint64_t steps = 0;
  std::vector<std::string> complaints;
};
[[nodiscard]] Outcome run_program(std::uint64_t seed, bool trace = false);

}  // namespace troupe::seeds
