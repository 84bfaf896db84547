#include <cstdio>
#include <unistd.h>
#include <vector>

#include "case.hpp"

namespace {

double resident_bytes() {
  long pages = 0;
  long resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  demand(file != nullptr && std::fscanf(file, "%ld %ld", &pages, &resident) == 2, "cannot read /proc/self/statm");
  std::fclose(file);
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

struct Poke {};

struct Idler {
  std::uint64_t state[4]{};
  std::uint64_t on(const Poke&) { return ++state[0]; }
};

struct Create {
  std::vector<troupe::Ref<Idler>>* all;
};

struct Parent {
  void on(const Create& create, troupe::Context& context) {
    for (auto& child : *create.all) child = context.spawn<Idler>();
  }
};

}  // namespace

Measured idle(const Run& run) {
  troupe::System system(with_workers(run.workers));
  const auto parent = system.spawn<Parent>();
  std::vector<troupe::Ref<Idler>> all(run.messages);  // touched now, so that it does not count
  const double before = resident_bytes();
  const Stopwatch watch;
  demand(system.wait(parent.ask<Create>(&all)).has_value(), "the parent does not answer");
  // Actors start in the order of their creation, so when the last one answers all are there.
  demand(system.wait(all.back().ask<Poke>()).has_value(), "the last actor does not answer");
  const std::uint64_t ns = watch.ns();
  const double grown = resident_bytes() - before;
  return {.messages = run.messages, .ns = ns, .bytes_per_actor = grown / static_cast<double>(run.messages)};
}
