#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "case.hpp"

void demand(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "bench: %s\n", what);
  std::exit(1);
}

namespace {

const std::map<std::string_view, Case> cases{
    {"ping-pong-1", ping_pong_1},
    {"ping-pong-100", ping_pong_100},
    {"counting", counting},
    {"fan-in", fan_in},
    {"outside", outside},
    {"ring", ring},
    {"create", create},
    {"create-one", create_one},
    {"idle", idle},
    {"big", big},
    {"skynet", skynet},
    {"ask", ask},
    {"devices", devices},
    {"bounded-reject", bounded_reject},
    {"bounded-drop-oldest", bounded_drop_oldest},
    {"bounded-block", bounded_block},
    {"bulkhead", bulkhead},
    {"bulkhead-alone", bulkhead_alone},
    {"timers", timers},
    {"wake", wake},
    {"wake-futex", wake_futex},
};

void print(const Measured& figures) {
  std::printf("{\"messages\": %llu, \"ns\": %llu", static_cast<unsigned long long>(figures.messages),
              static_cast<unsigned long long>(figures.ns));
  if (figures.bytes_per_actor >= 0) std::printf(", \"bytes_per_actor\": %.1f", figures.bytes_per_actor);
  if (figures.p50_us >= 0) std::printf(", \"p50_us\": %.3f, \"p99_us\": %.3f", figures.p50_us, figures.p99_us);
  if (figures.lost >= 0) std::printf(", \"lost\": %lld", static_cast<long long>(figures.lost));
  std::puts("}");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) {
    std::fputs("usage: bench CASE WORKERS block|unbounded|- MESSAGES\n", stderr);
    return 2;
  }
  const auto found = cases.find(arguments[1]);
  if (found == cases.end()) return 64;
  print(found->second({.workers = static_cast<unsigned>(std::stoul(arguments[2])),
                       .block = std::string_view(arguments[3]) != "unbounded",
                       .messages = std::stoull(arguments[4])}));
}
