#include <vector>

#include "bench.hpp"

static constexpr uint64_t senders = 8;

Outcome fan_in(caf::actor_system& system, uint64_t messages) {
  const auto each = messages / senders;
  caf::scoped_actor self{system};
  const auto to = system.spawn(counter, caf::actor{self}, each * senders);
  std::vector<caf::actor> from;
  for (uint64_t i = 0; i < senders; i++) from.push_back(system.spawn(producer, to, i * each, (i + 1) * each));
  const auto start = Clock::now();
  for (const auto& sender : from) caf::anon_send(sender, caf::ok_atom::value);
  const auto sum = sum_of_reports(self, 1);
  const auto outcome = measured(each * senders, start);
  verify("the sum", sum, sum_below(each * senders));
  return outcome;
}
