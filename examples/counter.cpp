// A counter: its state needs no lock, because an actor handles one message at a time.
#include <iostream>

#include <troupe/troupe.hpp>

struct Add {
  int amount;
};
struct Get {};

struct Counter {
  int count = 0;

  void on(const Add& add) { count += add.amount; }
  int on(const Get&) { return count; }
};

int main() {
  troupe::System system;
  auto counter = system.spawn<Counter>();
  for (int amount = 1; amount <= 10; ++amount) counter.tell<Add>(amount);
  std::cout << "1 + 2 + ... + 10 = " << system.wait(counter.ask<Get>()).value() << '\n';
}
