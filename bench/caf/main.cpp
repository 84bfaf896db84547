#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "bench.hpp"

using Question = std::function<Outcome(caf::actor_system&, uint64_t)>;

static const std::map<std::string, Question> questions{
    {"ping-pong-1", [](auto& system, uint64_t messages) { return ping_pong(system, 1, messages); }},
    {"ping-pong-100", [](auto& system, uint64_t messages) { return ping_pong(system, 100, messages); }},
    {"counting", counting},
    {"fan-in", fan_in},
    {"outside", outside},
    {"ring", ring},
    {"idle", idle},
    {"devices", devices},
};

Outcome measured(uint64_t messages, Clock::time_point start) {
  return {messages, std::chrono::nanoseconds(Clock::now() - start).count()};
}

void verify(const char* what, uint64_t found, uint64_t expected) {
  if (found == expected) return;
  std::fprintf(stderr, "%s is %lu, not %lu\n", what, found, expected);
  std::exit(1);
}

uint64_t sum_of_reports(caf::scoped_actor& self, uint64_t count) {
  uint64_t sum = 0;
  uint64_t received = 0;
  self->receive_for(received, count)([&](uint64_t number) { sum += number; });
  return sum;
}

int main(int argc, char** argv) {
  if (argc != 5) return 64;
  const std::string name = argv[1];
  const auto question = questions.find(name);
  if (question == questions.end() || argv[3] == std::string("block")) return 64;
  const auto messages = std::strtoull(argv[4], nullptr, 10);

  caf::actor_system_config config;
  config.set("scheduler.max-threads", static_cast<size_t>(std::atoi(argv[2])));
  if (name == "devices") config.set("scheduler.max-throughput", size_t{5});
  caf::actor_system system{config};
  if (name != "idle") question->second(system, messages / 10);
  const auto outcome = question->second(system, messages);
  std::printf("{\"messages\": %lu, \"ns\": %ld", outcome.messages, outcome.ns);
  if (outcome.bytes_per_actor > 0) std::printf(", \"bytes_per_actor\": %.1f", outcome.bytes_per_actor);
  std::puts("}");
}
