// The reductions of the explorer must not lose anything. They are switched off and on for random little
// programs, and the sets of outcomes compared: all values loaded, and the final values.
#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <tests/interleave/expect.hpp>
#include <troupe/core/atomic.hpp>
#include <troupe/core/clock.hpp>

namespace troupe::interleave {
namespace {

struct Command {
  enum class Verb { load, store_relaxed, store_release, store_seq_cst, add, exchange, compare_exchange, membarrier };
  Verb verb;
  unsigned variable;
  unsigned value;
  std::memory_order order;
};
using Program = std::vector<std::vector<Command>>;  // one list a thread
using Outcome = std::vector<unsigned>;

Program random_program(std::uint64_t seed) {
  SeededRandom random(seed);
  Program program(2 + random.below(2));
  const std::uint64_t longest = program.size() == 2 ? 4 : 3;
  const std::uint64_t variables = 1 + random.below(3);
  unsigned value = 1;
  for (auto& thread : program) {
    thread.resize(1 + random.below(longest));
    for (Command& command : thread) {
      // Loads and delayed stores are what can go wrong: have plenty of them.
      static constexpr std::array verbs = {
          Command::Verb::load,
          Command::Verb::load,
          Command::Verb::load,
          Command::Verb::store_relaxed,
          Command::Verb::store_relaxed,
          Command::Verb::store_release,
          Command::Verb::store_release,
          Command::Verb::store_seq_cst,
          Command::Verb::add,
          Command::Verb::exchange,
          Command::Verb::compare_exchange,
          Command::Verb::membarrier,
      };
      command.verb = verbs[random.below(verbs.size())];
      command.variable = static_cast<unsigned>(random.below(variables));
      command.value = value++;
      command.order = random.below(2) == 0 ? order::acquire : order::acq_rel;
    }
  }
  return program;
}

struct World {
  std::array<Atomic<unsigned>, 3> variables;
  std::array<std::array<unsigned, 8>, 3> seen{};
};

unsigned carry_out(const Command& command, World& world) {
  Atomic<unsigned>& variable = world.variables[command.variable];
  unsigned expected = 0;
  switch (command.verb) {
    case Command::Verb::load:
      return variable.load(order::acquire);
    case Command::Verb::store_relaxed:
      variable.store(command.value, order::relaxed);
      break;
    case Command::Verb::store_release:
      variable.store(command.value, order::release);
      break;
    case Command::Verb::store_seq_cst:
      variable.store(command.value);
      break;
    case Command::Verb::add:
      return variable.fetch_add(command.value, command.order);
    case Command::Verb::exchange:
      return variable.exchange(command.value, command.order);
    case Command::Verb::compare_exchange:
      variable.compare_exchange_strong(expected, command.value, command.order, order::acquire);
      return expected;
    case Command::Verb::membarrier:
      membarrier();
      break;
  }
  return 0;
}

// Empty if there are too many schedules.
std::set<Outcome> outcomes(const Program& program, const Options& options) {
  std::set<Outcome> found;
  const Exploration exploration = explore(options, [&](Scenario& scenario) {
    auto& world = scenario.make<World>();
    for (unsigned thread = 0; thread < program.size(); ++thread) {
      scenario.thread("thread", [&program, &world, thread] {
        unsigned position = 0;
        for (const Command& command : program[thread]) world.seen[thread][position++] = carry_out(command, world);
      });
    }
    scenario.finally([&] {
      Outcome outcome;
      for (const auto& seen : world.seen) outcome.insert(outcome.end(), seen.begin(), seen.end());
      for (const auto& variable : world.variables) outcome.push_back(variable.load());
      found.insert(std::move(outcome));
    });
  });
  EXPECT_TRUE(exploration.passed) << exploration;
  return exploration.complete ? found : std::set<Outcome>{};
}

bool includes(const std::set<Outcome>& all, const std::set<Outcome>& part) { return std::ranges::includes(all, part); }

// Fewer points to switch at can make a schedule cheaper, never dearer, and must add nothing that no schedule
// shows.
void compare(std::uint64_t seeds, Options options) {
  options.executions = 300'000;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Program program = random_program(seed);
    options.preemptions = 100;
    options.reduce = false;
    const auto everything = outcomes(program, options);
    if (everything.empty()) continue;
    ++compared;
    options.reduce = true;
    ASSERT_EQ(outcomes(program, options), everything) << "without a bound, seed " << seed;
    for (unsigned preemptions = 0; preemptions <= 3; ++preemptions) {
      options.preemptions = preemptions;
      options.reduce = false;
      const auto bounded = outcomes(program, options);
      options.reduce = true;
      const auto found = outcomes(program, options);
      ASSERT_TRUE(includes(found, bounded)) << "lost something, seed " << seed << ", bound " << preemptions;
      ASSERT_TRUE(includes(everything, found)) << "made something up, seed " << seed << ", bound " << preemptions;
    }
  }
  EXPECT_GT(compared, seeds * 8 / 10);
}

TEST(InterleaveCheckerReduction, loses_no_outcome_of_random_programs) { compare(200, {}); }
TEST(InterleaveCheckerReduction, nor_with_stores_out_of_order) { compare(100, {.weak_stores = true}); }

}  // namespace
}  // namespace troupe::interleave
