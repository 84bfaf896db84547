// Testing: virtual time, probes, faults on purpose, and the same run again from the same seed.
#include <chrono>
#include <cstdint>
#include <iostream>

#include <troupe/runtime/testkit.hpp>
#include <troupe/troupe.hpp>

using namespace std::chrono_literals;
using troupe::Context, troupe::Props, troupe::Protocol, troupe::Ref;

struct Alive {};
struct Alarm {
  int number;
};
struct Silence {};

// The actor under test: raises an alarm when it has heard nothing for ten seconds.
struct Watchdog {
  Ref<Protocol<void(Alarm)>> siren;
  int alarms = 0;

  void on(const troupe::Started&, Context& context) { wait(context); }
  void on(const Alive&, Context& context) { wait(context); }
  void on(const Silence&, Context& context) {
    siren.tell<Alarm>(++alarms);
    wait(context);
  }
  void wait(Context& context) { context.after(this, 10s, Silence{}, "silence"); }
};

// Stands for the test framework of your choice.
void check(const char* promise, bool kept) { std::cout << (kept ? "passed: " : "FAILED: ") << promise << '\n'; }

void test_silence() {
  troupe::testkit::Stage stage;
  auto siren = stage.probe<Alarm>();
  auto watchdog = stage.spawn<Watchdog>(siren);

  stage.advance(9s);
  watchdog.tell<Alive>();
  check("a sign of life keeps the siren quiet", siren.hears_nothing(9s));
  check("ten seconds of silence raise the alarm", siren.expect<Alarm>(1s).has_value());
  check("no message is without a fate", stage.check().empty());
}

void test_failure() {
  troupe::testkit::Stage stage;
  auto siren = stage.probe<Alarm>();
  auto watchdog = stage.spawn(Props<Watchdog>(siren).on_failure(troupe::one_for_one())).value();
  auto restarts = stage.system().events().subscribe(kinds(troupe::EventKind::restarted));

  stage.faults().fail_next("Watchdog", "Alive");
  watchdog.tell<Alive>();
  stage.run_until_idle();
  check("a failed watchdog restarts", restarts.size() == 1);
  check("and watches on", siren.expect<Alarm>(10s).has_value());
  check("no message is without a fate, the failed one included", stage.check().empty());
}

std::uint64_t run(std::uint64_t seed) {
  troupe::testkit::Stage stage(seed);
  auto siren = stage.probe<Alarm>();
  for (int i = 0; i < 8; ++i) stage.spawn<Watchdog>(siren);
  stage.advance(1min);
  return stage.world().hash();
}

int main() {
  test_silence();
  test_failure();
  const std::uint64_t once = run(42);
  check("the same seed gives the same run", run(42) == once);
  check("another seed gives another", run(43) != once);
}
