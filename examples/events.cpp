// Events: what a system tells about itself, where dead letters go, and topics of your own.
#include <chrono>
#include <iostream>
#include <string>

#include <troupe/troupe.hpp>

using namespace std::chrono_literals;
using troupe::EventKind, troupe::Props, troupe::Result;

struct Pour {
  int cups;
};
struct Look {};

struct Teapot {
  int left = 3;

  Result<void> on(const Pour& pour) {
    if (pour.cups > left) return troupe::Error{troupe::Code::failed, "the teapot is empty"};
    left -= pour.cups;
    return {};
  }
  int on(const Look&) { return left; }
};

// An actor hears a topic by having a handler for its message.
struct PriceChanged {
  std::string item;
  int price;
};
struct Show {};

struct Display {
  std::string text = "nothing yet";

  void on(const PriceChanged& change) { text = change.item + " costs " + std::to_string(change.price); }
  std::string on(const Show&) { return text; }
};

int main() {
  // Warnings and errors go to standard error unless that is switched off. We listen ourselves.
  troupe::System system({.print_warnings = false});
  auto events = system.events().subscribe(
      kinds(EventKind::failed, EventKind::restarted, EventKind::stopped, EventKind::dead_letter));

  auto next = [&] {
    auto event = events.wait(30s);
    std::cout << (event.has_value() ? to_string(*event) : "silence") << '\n';
  };

  auto teapot = system.spawn(Props<Teapot>().on_failure(troupe::one_for_one())).value();
  teapot.tell<Pour>(4);
  next();
  next();
  std::cout << "cups in the new one: " << system.wait(teapot.ask<Look>()).value() << '\n';

  teapot.stop();
  next();
  teapot.tell<Pour>(1);  // nobody is there: it becomes a dead letter
  next();

  auto display = system.spawn<Display>();
  system.events().subscribe_to<PriceChanged>(display);
  auto report = system.publish(PriceChanged{"tea", 3});
  std::cout << "told " << report.accepted << " actor: " << system.wait(display.ask<Show>()).value() << '\n';
}
