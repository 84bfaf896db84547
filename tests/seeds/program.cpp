#include "program.hpp"

#include <cstdio>
#include <cstdlib>

#include "member.hpp"

namespace troupe::seeds {

using namespace std::chrono_literals;

namespace {

// What must be true once nothing moves any more.
void check_quiet(Ledger& ledger, testkit::Stage& stage) {
  if (ledger.asks_open != 0) ledger.complain(std::to_string(ledger.asks_open) + " asks were never answered");
  for (const auto& [number, open] : ledger.open_turns) {
    if (open != 0) ledger.complain("member " + std::to_string(number) + " has a turn that never ended");
  }
  const std::string law = stage.check();
  if (!law.empty()) ledger.complain("the law is broken: " + law);
}

}  // namespace

namespace {

void play(Ledger& ledger, testkit::Stage& stage, SeededRandom& dice, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const auto& target = ledger.members[dice.below(ledger.members.size())];
    (void)target.tell<Do>(dice.next(), 4u, 0u, 0u, Body(ledger));
    for (std::uint64_t steps = dice.below(20); steps > 0; --steps) (void)stage.world().step();
    if (dice.below(5) == 0) stage.advance(std::chrono::milliseconds(dice.below(3000)));
  }
}

// A world that never comes to rest is wrong: show how it goes round, and give up.
void require_rest(testkit::Stage& stage, std::uint64_t seed) {
  if (!stage.world().exhausted()) return;
  const auto& lines = stage.world().trace();
  for (std::size_t i = lines.size() < 40 ? 0 : lines.size() - 40; i < lines.size(); ++i) {
    std::fprintf(stderr, "%s\n", lines[i].c_str());
  }
  std::fprintf(stderr, "seed %llu never comes to rest\n", static_cast<unsigned long long>(seed));
  std::abort();
}

void end_in_peace(Ledger& ledger, testkit::Stage& stage, std::uint64_t seed) {
  // Suspended members go on, and may suspend others: until nobody is left who could.
  for (int round = 0; round < 20; ++round) {
    stage.advance(60s);
    for (const auto& member : std::exchange(ledger.suspended, {})) member.resume();
  }
  stage.advance(600s);
  require_rest(stage, seed);
  check_quiet(ledger, stage);
  const ShutdownReport report = stage.system().shutdown(30s);
  if (report.forced) ledger.complain("the shutdown had to be forced");
  const MessageFigures messages = stage.system().figures().messages;
  if (messages.sent != messages.handled + messages.rejected + messages.dropped + messages.dead) {
    ledger.complain("messages without a fate after shutdown");
  }
}

}  // namespace

Outcome run_program(std::uint64_t seed, bool trace) {
  Ledger ledger;
  Outcome outcome;
  {
    testkit::Stage stage(seed);
    if (trace) stage.world().keep_trace();
    stage.world().limit_steps(50'000);
    SeededRandom dice(seed * 2654435761u + 1);
    for (int i = 0; i < 4; ++i) (void)spawn_member(ledger, dice, 0, nullptr, &stage.system());
    if (seed % 8 == 0) {
      play(ledger, stage, dice, static_cast<int>(dice.below(20)));
      ledger.cut = true;
      stage.system().cut_off();
    } else {
      play(ledger, stage, dice, 20);
      end_in_peace(ledger, stage, seed);
    }
    outcome.hash = stage.world().hash();
    outcome.steps = stage.world().steps();
    if (trace) {
      for (const std::string& line : stage.world().trace()) std::printf("%s\n", line.c_str());
    }
  }
  for (const auto& [number, alive] : ledger.instances) {
    if (alive != 0) ledger.complain("member " + std::to_string(number) + " was never destroyed");
  }
  if (ledger.payloads != 0) ledger.complain(std::to_string(ledger.payloads) + " message bodies leaked");
  outcome.complaints = std::move(ledger.complaints);
  return outcome;
}

}  // namespace troupe::seeds
