// What an actor costs that has nothing to do: measured on a release build.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <troupe/troupe.hpp>

namespace troupe {
namespace {

using namespace std::chrono_literals;

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

struct Touch {};
struct Idle {
  std::uint64_t state = 0;
  void on(const Touch&) { ++state; }
};

TEST(Promises, SC_007_a_million_idle_actors_take_at_most_200_bytes_each) {
  System system(SystemOptions{.print_warnings = false});
  constexpr std::size_t count = 1'000'000;
  std::vector<Ref<Idle>> actors(count);
  const std::size_t before = resident_bytes();
  const auto quiet = [&] {
    while (system.figures().messages.queued > 0) std::this_thread::sleep_for(1ms);
  };
  // In lots: a million messages on their way at once would be measured too, and they are no part of an idle actor.
  for (std::size_t i = 0; i < count; ++i) {
    actors[i] = system.spawn<Idle>();
    ASSERT_TRUE(actors[i].tell<Touch>().accepted());
    if (i % 10'000 == 0) quiet();
  }
  quiet();
  const double each = static_cast<double>(resident_bytes() - before) / count - sizeof(Idle);
  std::printf("%.1f bytes an idle actor beside its state\n", each);
  EXPECT_LE(each, 200.0);
}

}  // namespace
}  // namespace troupe
