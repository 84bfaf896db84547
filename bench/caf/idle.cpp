#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>
#include <unistd.h>
#include <vector>

#include "bench.hpp"

static std::atomic<uint64_t> waiting{0};

static caf::behavior mortal(caf::event_based_actor* self, caf::actor report) {
  waiting++;
  return {[=](uint64_t number) {
    self->send(report, number);
    self->quit();
  }};
}

static double resident_bytes() {
  std::ifstream statm{"/proc/self/statm"};
  double size = 0;
  double resident = 0;
  statm >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

Outcome idle(caf::actor_system& system, uint64_t actors) {
  caf::scoped_actor self{system};
  const auto before = resident_bytes();
  const auto start = Clock::now();
  std::vector<caf::actor> all;
  all.reserve(actors);
  for (uint64_t i = 0; i < actors; i++) all.push_back(system.spawn(mortal, caf::actor{self}));
  while (waiting < actors) std::this_thread::sleep_for(std::chrono::microseconds(100));
  auto outcome = measured(actors, start);
  outcome.bytes_per_actor = (resident_bytes() - before) / static_cast<double>(actors);
  for (const auto& actor : all) caf::anon_send(actor, uint64_t{1});
  verify("handled messages", sum_of_reports(self, actors), actors);
  return outcome;
}
