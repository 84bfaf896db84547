// Asking: a handler waits with co_await, and an error travels up by itself.
#include <chrono>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <troupe/troupe.hpp>

using namespace std::chrono_literals;
using troupe::Code, troupe::Context, troupe::Error, troupe::Ref, troupe::Result, troupe::Task;

struct PriceOf {
  std::string item;
};

struct Catalogue {
  std::map<std::string, int> prices{{"tea", 3}, {"cake", 4}};

  Result<int> on(const PriceOf& wanted) {
    const auto found = prices.find(wanted.item);
    if (found == prices.end()) return Error{Code::not_found, "no price for " + wanted.item};
    return found->second;
  }
};

struct RateOf {
  std::string currency;
};

// Closed today: it keeps the reply for a later turn that never comes.
struct Bank {
  troupe::Reply<int> reply;

  troupe::Kept<int> on(const RateOf&, Context& context) { return context.keep(reply); }
};

struct Total {
  std::vector<std::string> items;
};
struct TotalIn {
  std::string currency;
  std::vector<std::string> items;
};

struct Till {
  Ref<Catalogue> catalogue;
  Ref<Bank> bank;

  // A handler may be made of smaller tasks. The first price that is missing fails this one…
  Task<int> sum(const std::vector<std::string>& items) {
    int total = 0;
    for (const auto& item : items) {
      auto price = co_await catalogue.ask<PriceOf>(item);
      total += price;
    }
    co_return total;
  }
  // … and this one, and is what the customer hears. Nobody wrote a line for it.
  Task<std::string> on(const Total& total) {
    auto euros = co_await sum(total.items);
    co_return std::to_string(euros) + " euros";
  }
  // Whoever wants to go on takes the Result instead. Every ask has a deadline; this one is short.
  Task<std::string> on(const TotalIn& total) {
    auto euros = co_await sum(total.items);
    auto rate = co_await as_result(bank.ask<RateOf>(total.currency).within(20ms));
    if (rate.has_value()) co_return std::to_string(euros * *rate) + " " + total.currency;
    co_return std::to_string(euros) + " euros; the bank: " + std::string(to_string(rate.error().code()));
  }
};

void print(const std::string& question, const Result<std::string>& answer) {
  std::cout << question << ": " << (answer.has_value() ? *answer : std::string(answer.error().text())) << '\n';
}

int main() {
  troupe::System system;
  auto till = system.spawn<Till>(system.spawn<Catalogue>(), system.spawn<Bank>());

  using Items = std::vector<std::string>;
  print("tea and cake", system.wait(till.ask<Total>(Items{"tea", "cake"})));
  print("tea and snow", system.wait(till.ask<Total>(Items{"tea", "snow"})));
  print("tea and tea, in yen", system.wait(till.ask<TotalIn>("yen", Items{"tea", "tea"})));
}
