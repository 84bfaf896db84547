#include <algorithm>
#include <vector>

#include "bench.hpp"

// Hits the ball back until it has bounced enough, and reports how often it was hit here.
static caf::behavior player(caf::event_based_actor* self, caf::actor report) {
  return {[=](const caf::actor& other) {
    self->become([=, hits = uint64_t{0}](uint64_t left) mutable {
      hits++;
      if (left > 1) self->send(other, left - 1);
      if (left > 2) return;
      self->send(report, hits);
      self->quit();
    });
  }};
}

Outcome ping_pong(caf::actor_system& system, uint64_t pairs, uint64_t messages) {
  const auto bounces = std::max<uint64_t>(messages / pairs, 2);
  caf::scoped_actor self{system};
  std::vector<caf::actor> first;
  for (uint64_t i = 0; i < pairs; i++) {
    const auto ping = system.spawn(player, caf::actor{self});
    const auto pong = system.spawn(player, caf::actor{self});
    caf::anon_send(ping, pong);
    caf::anon_send(pong, ping);
    first.push_back(ping);
  }
  const auto start = Clock::now();
  for (const auto& ping : first) caf::anon_send(ping, bounces);
  const auto hits = sum_of_reports(self, 2 * pairs);
  const auto outcome = measured(bounces * pairs, start);
  verify("the sum of hits", hits, bounces * pairs);
  return outcome;
}
