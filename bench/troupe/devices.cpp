#include <vector>

#include "counter.hpp"

Measured devices(const Run& run) {
  constexpr std::uint64_t count = 1024;
  troupe::System system({.dispatchers = {troupe::device_dispatcher("bench", run.workers)}});
  return warmed_up(run, [&](std::uint64_t messages) {
    const std::uint64_t each = messages / count + 1;
    std::latch over(count);
    std::vector<troupe::Ref<Counter>> all;
    for (std::uint64_t i = 0; i < count; ++i) {
      all.push_back(system.spawn(troupe::Props<Counter>(std::ref(over), each).mailbox(flooded(run))).value());
    }
    for (std::uint64_t i = 0; i < each; ++i) {
      for (auto& device : all) {
        if (run.block) {
          demand(system.wait(device.send<Increment>(1u)).has_value(), "a message was refused");
        } else {
          device.tell<Increment>(1u);
        }
      }
    }
    over.wait();
  });
}
