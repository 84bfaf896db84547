#include <thread>

#include "case.hpp"

namespace {

using namespace std::chrono;

struct Ring {
  std::uint64_t number;
};
struct Arm {
  std::uint64_t timers;
  steady_clock::time_point due;
  std::latch* over;
};

struct Armed {
  std::latch* over = nullptr;
  std::uint64_t left = 0;

  void on(const Arm& arm, troupe::Context& context) {
    over = arm.over;
    left = (arm.timers + 1) / 2;
    const auto soon = arm.due - steady_clock::now();
    for (std::uint64_t i = 0; i < arm.timers; ++i) {
      (void)context.after(this, i % 2 == 0 ? soon : hours(1), Ring{i}, troupe::TimerKey(i + 1));
    }
    for (std::uint64_t i = 1; i < arm.timers; i += 2) context.cancel(troupe::TimerKey(i + 1));
    cancelled = steady_clock::now();
  }
  void on(const Ring&) {
    if (--left == 0) over->count_down();
  }
  static inline steady_clock::time_point cancelled;
};

// Without the time in which nothing was to be done.
nanoseconds play(troupe::System& system, std::uint64_t timers) {
  std::latch over(1);
  const auto began = steady_clock::now();
  const auto due = began + microseconds(timers);
  system.spawn<Armed>().tell<Arm>(timers, due, &over);
  over.wait();
  const auto waited = std::max(steady_clock::duration::zero(), due - Armed::cancelled);
  return steady_clock::now() - began - waited;
}

}  // namespace

Measured timers(const Run& run) {
  troupe::System system(with_workers(run.workers));
  play(system, run.messages / 10);
  return {.messages = run.messages, .ns = static_cast<std::uint64_t>(play(system, run.messages).count())};
}
