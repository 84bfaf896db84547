#include <algorithm>
#include <vector>

#include "bench.hpp"

static constexpr uint64_t device_count = 1024;

Outcome devices(caf::actor_system& system, uint64_t messages) {
  const auto each = std::max<uint64_t>(messages / device_count, 1);
  caf::scoped_actor self{system};
  std::vector<caf::actor> all;
  for (uint64_t i = 0; i < device_count; i++) all.push_back(system.spawn(counter, caf::actor{self}, each));
  const auto start = Clock::now();
  for (uint64_t number = 0; number < each * device_count; number++) caf::anon_send(all[number % device_count], number);
  const auto sum = sum_of_reports(self, device_count);
  const auto outcome = measured(each * device_count, start);
  verify("the sum", sum, sum_below(each * device_count));
  return outcome;
}
