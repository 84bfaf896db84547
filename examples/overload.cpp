// Overload: a mailbox has a bound, and you choose what happens there. Nothing is lost without a word.
#include <chrono>
#include <iostream>

#include <troupe/troupe.hpp>

using namespace std::chrono_literals;
using troupe::bounded, troupe::Overflow, troupe::Props, troupe::Receipt;

struct Tea {};
struct Cake {};
struct Soup {};

struct Kitchen {
  void on(const Tea&) { std::cout << "    serves tea\n"; }
  void on(const Cake&) { std::cout << "    serves cake\n"; }
  void on(const Soup&) { std::cout << "    serves soup\n"; }
};

void print(const char* order, const Receipt& receipt) {
  std::cout << "  " << order << ": " << to_string(receipt.fate());
  if (!receipt.detail().empty()) std::cout << ", but " << receipt.detail() << " fell";
  std::cout << '\n';
}

// Three orders for a kitchen with room for two. It is suspended meanwhile, so that they meet in its mailbox.
void rush(const char* policy, const troupe::MailboxOptions& mailbox) {
  std::cout << policy << '\n';
  troupe::System system({.print_warnings = false});
  auto kitchen = system.spawn(Props<Kitchen>().mailbox(mailbox)).value();
  kitchen.suspend();
  print("tea ", kitchen.tell<Tea>());
  print("cake", kitchen.tell<Cake>());
  print("soup", kitchen.tell<Soup>());
  kitchen.resume();
}  // A system ends when all that is queued has been handled.

struct Serve {};

struct Waiter {
  troupe::Ref<Kitchen> kitchen;

  troupe::Task<void> on(const Serve&) {
    co_await kitchen.send<Tea>();
    co_await kitchen.send<Cake>();
    co_await kitchen.send<Soup>();
  }
};

// `send` waits where `tell` is refused: the waiter slows down to the kitchen's pace, and no thread stands
// still.
void rush_with_patience() {
  std::cout << "block\n";
  troupe::System system({.print_warnings = false});
  auto kitchen = system.spawn(Props<Kitchen>().mailbox(bounded(2, Overflow::block))).value();
  auto hints = system.events().subscribe(kinds(troupe::EventKind::back_pressure));
  kitchen.suspend();
  auto served = system.future(system.spawn<Waiter>(kitchen).ask<Serve>());
  if (hints.wait(30s)) std::cout << "  the waiter waits with the soup\n";
  kitchen.resume();
  (void)served.get();
}

int main() {
  rush("reject", bounded(2, Overflow::reject));
  rush("drop_newest", bounded(2, Overflow::drop_newest));
  rush("drop_oldest", bounded(2, Overflow::drop_oldest));
  rush("grow", troupe::growing(2, 8));
  rush_with_patience();
}
