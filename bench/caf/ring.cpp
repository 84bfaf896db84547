#include <memory>
#include <vector>

#include "bench.hpp"

static constexpr uint64_t size = 503;

// Hands the token on. Who gets the last one reports it; all report their hops when they are told to stop.
static caf::behavior node(caf::event_based_actor* self, caf::actor report) {
  return {[=](const caf::actor& next) {
    auto hops = std::make_shared<uint64_t>(0);
    self->become(
        [=](uint64_t left) {
          ++*hops;
          self->send(left > 1 ? next : report, left - 1);
        },
        [=](caf::ok_atom) {
          self->send(report, *hops);
          self->quit();
        });
  }};
}

Outcome ring(caf::actor_system& system, uint64_t messages) {
  caf::scoped_actor self{system};
  std::vector<caf::actor> nodes;
  for (uint64_t i = 0; i < size; i++) nodes.push_back(system.spawn(node, caf::actor{self}));
  for (uint64_t i = 0; i < size; i++) caf::anon_send(nodes[i], nodes[(i + 1) % size]);
  const auto start = Clock::now();
  caf::anon_send(nodes[0], messages);
  sum_of_reports(self, 1);
  const auto outcome = measured(messages, start);
  for (const auto& stopped : nodes) caf::anon_send(stopped, caf::ok_atom::value);
  verify("the sum of hops", sum_of_reports(self, size), messages);
  return outcome;
}
