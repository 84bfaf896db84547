// expect: ReferenceLeavesItsSystem<.*Counter
#include <troupe/runtime/run.hpp>

struct Get {};

struct Counter {
  int on(const Get&) { return 0; }
};

void use() {
  (void)troupe::run([](troupe::System& system) {
    auto counter = system.spawn<Counter>();
#ifdef TROUPE_CORRECT
    return system.wait(counter.ask<Get>());
#else
    return counter;
#endif
  });
}
