#include "counter.hpp"

Measured outside(const Run& run) {
  troupe::System system(with_workers(run.workers));
  return warmed_up(run, [&](std::uint64_t messages) {
    std::latch over(1);
    auto counter = system.spawn(troupe::Props<Counter>(std::ref(over), messages).mailbox(flooded(run))).value();
    for (std::uint64_t i = 0; i < messages; ++i) {
      if (run.block) {
        demand(system.wait(counter.send<Increment>(1u)).has_value(), "a message was refused");
      } else {
        counter.tell<Increment>(1u);
      }
    }
    over.wait();
  });
}
