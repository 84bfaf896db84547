#include <atomic>

#include "echo.hpp"
#include "latencies.hpp"

namespace {

// Asks one after the other and notes how long each took.
struct AskAll {
  std::uint64_t questions;
  std::vector<double>* us;
};
struct Asker {
  troupe::Ref<Echo> echo;
  troupe::Task<void> on(const AskAll& all) {
    for (std::uint64_t i = 0; i < all.questions; ++i) {
      const Stopwatch watch;
      co_await echo.ask<Get>(i);
      all.us->push_back(static_cast<double>(watch.ns()) / 1000);
    }
  }
};

struct Spin {};
struct Spinner {
  const std::atomic<bool>& over;
  void on(const Spin&) {
    while (!over.load(std::memory_order_relaxed)) {
    }
  }
};

Measured measure(const Run& run, bool saturated) {
  troupe::System system(
      {.dispatchers = {{.name = "first", .threads = 1}, {.name = "second", .threads = 1}}, .print_warnings = false});
  const auto asker = system.spawn<Asker>(system.spawn<Echo>());
  std::atomic<bool> over = false;
  if (saturated) system.spawn(troupe::Props<Spinner>(std::cref(over)).dispatcher("second")).value().tell<Spin>();
  std::vector<double> us;
  us.reserve(run.messages);
  const auto ask = [&](std::uint64_t questions) {
    us.clear();
    const auto asked = system.wait(asker.ask<AskAll>(questions, &us).within(std::chrono::minutes(5)));
    demand(asked.has_value(), "an answer is missing");
  };
  ask(run.messages / 10 + 1);
  const Stopwatch watch;
  ask(run.messages);
  const std::uint64_t ns = watch.ns();
  over = true;
  return of_latencies(std::move(us), ns);
}

}  // namespace

Measured bulkhead(const Run& run) { return measure(run, true); }
Measured bulkhead_alone(const Run& run) { return measure(run, false); }
