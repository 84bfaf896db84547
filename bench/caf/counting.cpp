#include "bench.hpp"

caf::behavior counter(caf::event_based_actor* self, caf::actor report, uint64_t messages) {
  return {[=, left = messages, sum = uint64_t{0}](uint64_t number) mutable {
    sum += number;
    if (--left > 0) return;
    self->send(report, sum);
    self->quit();
  }};
}

caf::behavior producer(caf::event_based_actor* self, caf::actor to, uint64_t first, uint64_t end) {
  return {[=](caf::ok_atom) {
    for (auto number = first; number < end; number++) self->send(to, number);
    self->quit();
  }};
}

Outcome counting(caf::actor_system& system, uint64_t messages) {
  caf::scoped_actor self{system};
  const auto to = system.spawn(counter, caf::actor{self}, messages);
  const auto from = system.spawn(producer, to, uint64_t{0}, messages);
  const auto start = Clock::now();
  caf::anon_send(from, caf::ok_atom::value);
  const auto sum = sum_of_reports(self, 1);
  const auto outcome = measured(messages, start);
  verify("the sum", sum, sum_below(messages));
  return outcome;
}
