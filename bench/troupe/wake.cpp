#include <atomic>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

#include "latencies.hpp"

namespace {

using namespace std::chrono;

// How long everybody is left alone before the next wake-up, so that all of them sleep.
constexpr auto until_asleep = microseconds(300);

double us_since(steady_clock::time_point began) {
  return duration<double, std::micro>(steady_clock::now() - began).count();
}

struct Wake {
  steady_clock::time_point sent;
};
struct Sleeper {
  std::atomic<double>& us;
  void on(const Wake& wake) { us.store(us_since(wake.sent), std::memory_order_release); }
};

template <class Send>
Measured measure(std::uint64_t rounds, std::atomic<double>& noted, Send send) {
  std::vector<double> us;
  us.reserve(rounds);
  const Stopwatch watch;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    std::this_thread::sleep_for(until_asleep);
    noted.store(-1, std::memory_order_relaxed);
    send();
    while (noted.load(std::memory_order_acquire) < 0) std::this_thread::yield();
    us.push_back(noted.load(std::memory_order_relaxed));
  }
  return of_latencies(std::move(us), watch.ns());
}

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) {
  return syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation | FUTEX_PRIVATE_FLAG, value, nullptr,
                 nullptr, 0);
}

}  // namespace

Measured wake(const Run& run) {
  troupe::System system(with_workers(run.workers));
  std::atomic<double> us = 0;
  const auto sleeper = system.spawn<Sleeper>(std::ref(us));
  return measure(run.messages, us, [&] { sleeper.tell<Wake>(steady_clock::now()); });
}

Measured wake_futex(const Run& run) {
  std::atomic<double> us = 0;
  std::atomic<std::uint32_t> word = 0;
  std::atomic<bool> over = false;
  steady_clock::time_point sent;
  std::thread sleeper([&] {
    for (;;) {
      while (word.load(std::memory_order_acquire) == 0) futex(word, FUTEX_WAIT, 0);
      if (over) return;
      word.store(0, std::memory_order_relaxed);
      us.store(us_since(sent), std::memory_order_release);
    }
  });
  const auto wake = [&] {
    sent = steady_clock::now();
    word.store(1, std::memory_order_release);
    futex(word, FUTEX_WAKE, 1);
  };
  Measured measured = measure(run.messages, us, wake);
  over = true;
  wake();
  sleeper.join();
  return measured;
}
