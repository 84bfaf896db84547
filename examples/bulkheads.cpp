// Bulkheads: with every thread of one dispatcher busy, the actors of another go on.
#include <algorithm>
#include <iostream>
#include <latch>
#include <vector>

#include <troupe/troupe.hpp>

using troupe::Future, troupe::Props;

struct Write {
  int report;
};
struct Buy {};

std::latch paper_arrives(1);

// A call that blocks its thread, as a library that knows no coroutines does. It deserves threads of its own.
struct Writer {
  int on(const Write& write) {
    paper_arrives.wait();
    return write.report;
  }
};

struct Shop {
  int sold = 0;
  int on(const Buy&) { return ++sold; }
};

int main() {
  troupe::System system({.dispatchers = {{.name = "shop", .threads = 2}, {.name = "reports", .threads = 2}}});

  // Four reports, two threads: nothing on this dispatcher moves until there is paper.
  std::vector<Future<int>> reports;
  for (int number = 1; number <= 4; ++number) {
    auto writer = system.spawn(Props<Writer>().dispatcher("reports")).value();
    reports.push_back(system.future(writer.ask<Write>(number)));
  }

  auto shop = system.spawn<Shop>();  // on the first dispatcher, the default
  for (int i = 0; i < 3; ++i) std::cout << "sold " << system.wait(shop.ask<Buy>()).value() << '\n';
  std::cout << "reports written: " << std::ranges::count_if(reports, &Future<int>::ready) << '\n';

  paper_arrives.count_down();
  for (auto& report : reports) std::cout << "report " << report.get().value() << '\n';
}
