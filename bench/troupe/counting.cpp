#include "counter.hpp"

Measured flood(const Run& run, unsigned producers) {
  troupe::System system(with_workers(run.workers));
  return warmed_up(run, [&](std::uint64_t messages) {
    const std::uint64_t each = messages / producers + 1;
    std::latch over(1);
    auto counter = system.spawn(troupe::Props<Counter>(std::ref(over), each * producers).mailbox(flooded(run))).value();
    for (unsigned i = 0; i < producers; ++i) system.spawn<Producer>(counter, each, run.block).tell<Begin>();
    over.wait();
  });
}

Measured counting(const Run& run) { return flood(run, 1); }
