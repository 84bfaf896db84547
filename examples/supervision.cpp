// Supervision: what fails starts anew, alone or with its siblings, until its budget is spent.
#include <chrono>
#include <iostream>

#include <troupe/troupe.hpp>

using namespace std::chrono_literals;
using troupe::EventKind, troupe::Props, troupe::Result;

struct Add {
  int amount;
};

struct Counter {
  int count = 0;

  Result<int> on(const Add& add) {
    if (add.amount < 0) return troupe::Error{troupe::Code::failed, "cannot count backwards"};
    return count += add.amount;
  }
};

// The failures are the point here, so nobody need be warned of them.
const troupe::SystemOptions quiet{.print_warnings = false};

void one_for_one() {
  troupe::System system(quiet);
  auto policy = troupe::one_for_one(troupe::Directive::restart);
  auto tea = system.spawn(Props<Counter>().on_failure(policy)).value();
  auto cake = system.spawn(Props<Counter>().on_failure(policy)).value();
  (void)system.wait(tea.ask<Add>(5));
  (void)system.wait(cake.ask<Add>(7));

  auto failed = system.wait(tea.ask<Add>(-1));
  std::cout << "one for one: tea failed, " << failed.error().text() << '\n';
  std::cout << "  tea starts anew at: " << system.wait(tea.ask<Add>(0)).value() << '\n';
  std::cout << "  cake goes on at:    " << system.wait(cake.ask<Add>(0)).value() << '\n';
}

void all_for_one() {
  troupe::System system(quiet);
  auto policy = troupe::all_for_one(troupe::Directive::restart);
  auto tea = system.spawn(Props<Counter>().on_failure(policy)).value();
  auto cake = system.spawn(Props<Counter>().on_failure(policy)).value();
  (void)system.wait(tea.ask<Add>(5));
  (void)system.wait(cake.ask<Add>(7));

  auto restarts = system.events().subscribe(kinds(EventKind::restarted));
  (void)system.wait(tea.ask<Add>(-1));
  const bool both = restarts.wait(30s).has_value() && restarts.wait(30s).has_value();
  std::cout << "all for one: tea failed, " << (both ? "both" : "not both") << " restarted\n";
  std::cout << "  tea:  " << system.wait(tea.ask<Add>(0)).value() << '\n';
  std::cout << "  cake: " << system.wait(cake.ask<Add>(0)).value() << '\n';
}

void budget() {
  troupe::System system(quiet);
  auto policy = troupe::one_for_one(troupe::Directive::restart).at_most(2, 60s);
  auto tea = system.spawn(Props<Counter>().named("tea").on_failure(policy)).value();

  std::cout << "two restarts a minute:\n";
  auto events = system.events().subscribe(kinds(EventKind::restarted, EventKind::stopped));
  for (int failure = 1; failure <= 3; ++failure) {
    (void)system.wait(tea.ask<Add>(-1));
    if (auto event = events.wait(30s)) std::cout << "  " << to_string(*event) << '\n';
  }
  std::cout << "  a tell now: " << to_string(tea.tell<Add>(1).fate()) << '\n';
}

int main() {
  one_for_one();
  all_for_one();
  budget();
}
