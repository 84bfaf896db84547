#include "bench.hpp"

Outcome outside(caf::actor_system& system, uint64_t messages) {
  caf::scoped_actor self{system};
  const auto to = system.spawn(counter, caf::actor{self}, messages);
  const auto start = Clock::now();
  for (uint64_t number = 0; number < messages; number++) caf::anon_send(to, number);
  const auto sum = sum_of_reports(self, 1);
  const auto outcome = measured(messages, start);
  verify("the sum", sum, sum_below(messages));
  return outcome;
}
