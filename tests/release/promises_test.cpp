// Promises with a figure in them: measured on a release build, with the machine to themselves.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <troupe/troupe.hpp>

namespace troupe {
namespace {

using namespace std::chrono_literals;

std::int64_t now_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

struct Timed {
  std::int64_t sent;
};
struct Report {};
struct Device {
  std::vector<std::int64_t> latencies;
  void on(const Timed& timed) { latencies.push_back(now_ns() - timed.sent); }
  std::vector<std::int64_t> on(const Report&) { return std::move(latencies); }
};

// Messages a second that the system takes when nobody waits.
double saturation(System& system, const std::vector<Ref<Device>>& devices, int messages) {
  const std::int64_t began = now_ns();
  for (int i = 0; i < messages; ++i) {
    while (!devices[static_cast<std::size_t>(i) % devices.size()].tell<Timed>(now_ns()).accepted()) {
      std::this_thread::yield();
    }
  }
  for (const auto& device : devices) (void)system.wait(device.ask<Report>());
  return messages / (static_cast<double>(now_ns() - began) / 1e9);
}

TEST(Promises, SC_001_95_percent_of_messages_are_handled_within_5_ms_at_half_of_saturation) {
  System system(SystemOptions{.print_warnings = false});
  std::vector<Ref<Device>> devices;
  for (int i = 0; i < 1'000; ++i) devices.push_back(system.spawn<Device>());
  const double rate = saturation(system, devices, 500'000) / 2;

  constexpr int messages = 500'000;
  constexpr int burst = 100;
  int refused = 0;
  std::int64_t next = now_ns();
  for (int i = 0; i < messages; ++i) {
    if (i % burst == 0) {
      while (now_ns() < next) std::this_thread::yield();
      next += static_cast<std::int64_t>(burst / rate * 1e9);
    }
    refused += devices[static_cast<std::size_t>(i) % devices.size()].tell<Timed>(now_ns()).accepted() ? 0 : 1;
  }
  std::vector<std::int64_t> latencies;
  for (const auto& device : devices) {
    const auto own = system.wait(device.ask<Report>()).value();
    latencies.insert(latencies.end(), own.begin(), own.end());
  }
  ASSERT_EQ(latencies.size() + static_cast<std::size_t>(refused), static_cast<std::size_t>(messages));
  std::ranges::sort(latencies);
  const auto at = [&](double share) {
    return latencies[static_cast<std::size_t>(share * static_cast<double>(latencies.size() - 1))];
  };
  std::printf("saturation %.1f million/s; at half of it p50 %.1f us, p95 %.1f us, p99 %.1f us, refused %d\n",
              rate * 2 / 1e6, static_cast<double>(at(0.5)) / 1e3, static_cast<double>(at(0.95)) / 1e3,
              static_cast<double>(at(0.99)) / 1e3, refused);
  EXPECT_LT(at(0.95), 5'000'000);
  EXPECT_EQ(refused, 0);
}

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

struct Idle {
  std::uint64_t state = 0;
  void on(const Report&) { ++state; }
};

TEST(Promises, SC_007_a_million_idle_actors_take_at_most_200_bytes_each) {
  System system(SystemOptions{.print_warnings = false});
  constexpr std::size_t count = 1'000'000;
  std::vector<Ref<Idle>> actors(count);
  const std::size_t before = resident_bytes();
  for (auto& actor : actors) actor = system.spawn<Idle>();
  for (const auto& actor : actors) ASSERT_TRUE(actor.tell<Report>().accepted());
  while (system.figures().messages.queued > 0) std::this_thread::sleep_for(1ms);
  const double each = static_cast<double>(resident_bytes() - before) / count - sizeof(Idle);
  std::printf("%.1f bytes an idle actor beside its state\n", each);
  EXPECT_LE(each, 200.0);
}

}  // namespace
}  // namespace troupe
