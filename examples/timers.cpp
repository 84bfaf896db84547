// Timers: messages that an actor sends to itself, later. Here time is virtual: four hours pass at once.
#include <chrono>
#include <iostream>

#include <troupe/runtime/testkit.hpp>
#include <troupe/troupe.hpp>

using namespace std::chrono_literals;
using troupe::Context;

struct Start {};
struct BoilLonger {};
struct Leave {};
struct Ring {
  const char* what;
};
struct Tick {};

struct Kitchen {
  int hours = 0;

  void on(const Start&, Context& context) {
    context.after(this, 3min, Ring{"the egg is soft"}, "egg");
    context.after(this, 5min, Ring{"the tea is ready"});
    context.every(this, 1h, Tick{}, "clock");
  }
  // A key replaces the timer that has it.
  void on(const BoilLonger&, Context& context) { context.after(this, 8min, Ring{"the egg is hard"}, "egg"); }
  void on(const Leave&, Context& context) { context.cancel("clock"); }

  void on(const Ring& ring) { std::cout << "  " << ring.what << '\n'; }
  void on(const Tick&) { std::cout << "  the clock strikes " << ++hours << '\n'; }
};

int main() {
  troupe::testkit::Stage stage;
  auto kitchen = stage.spawn<Kitchen>();
  auto pass = [&](const char* words, troupe::Duration duration) {
    std::cout << words << '\n';
    stage.advance(duration);
  };

  kitchen.tell<Start>();
  pass("two minutes", 2min);
  kitchen.tell<BoilLonger>();
  pass("ten minutes more", 10min);
  pass("two hours more", 2h);
  kitchen.tell<Leave>();
  pass("two hours more", 2h);
}
