#include "echo.hpp"

namespace {

struct AskAll {
  std::uint64_t questions;
};
struct Asker {
  troupe::Ref<Echo> echo;
  troupe::Task<std::uint64_t> on(const AskAll& all) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < all.questions; ++i) sum += co_await echo.ask<Get>(1u);
    co_return sum;
  }
};

}  // namespace

Measured ask(const Run& run) {
  troupe::System system(with_workers(run.workers));
  const auto asker = system.spawn<Asker>(system.spawn<Echo>());
  return warmed_up(run, [&](std::uint64_t messages) {
    const auto answers = system.wait(asker.ask<AskAll>(messages).within(std::chrono::minutes(5)));
    demand(answers.has_value() && *answers == messages, "an answer is missing");
  });
}
