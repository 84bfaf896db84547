// message <tell|row|ask> <none|elsewhere|own> <count>: so many messages on the synchronous executor, one way, with
// middleware around no actor, around another one, or around those that are measured. For scripts/instructions.
//
// Built twice. With TROUPE_WITHOUT_MIDDLEWARE its bit is no bit, so that the compiler drops every look at it: that is
// what a message costs if there is no middleware at all. Both builds compile the run loop here, in the same way.
#if defined(TROUPE_WITHOUT_MIDDLEWARE)
#define middleware \
  middleware = 0;  \
  static constexpr std::uint8_t bit_of_middleware
#endif
#include <troupe/core/cell.hpp>
#undef middleware

#include <cstdlib>
#include <memory>
#include <string_view>

#include <troupe/core/middleware.hpp>
#include <troupe/core/props.hpp>
#include <troupe/core/static_system.hpp>
#include <troupe/core/task.hpp>
#include <troupe/core/turn.cpp>  // NOLINT(bugprone-suspicious-include): see above

namespace {

using troupe::Props, troupe::Ref, troupe::Task;

struct Add {
  int number;
};
struct Get {};
struct Go {};

struct Counter {
  int sum = 0;
  void on(const Add& add) { sum += add.number; }
  int on(const Get&) { return sum; }
};

struct Asker {
  Ref<Counter> counter;
  int heard = 0;
  Task<void> on(const Go&) {
    auto answer = co_await counter.ask<Get>();
    heard += answer;
  }
};

class Silent final : public troupe::Middleware {
 public:
  troupe::Result<void> before(const troupe::Passing&) noexcept override { return {}; }
  void after(const troupe::Passing&) noexcept override {}
};

class StillClock final : public troupe::Clock {
 public:
  troupe::Instant now() noexcept override { return 1; }
  std::chrono::sys_time<troupe::Duration> wall() noexcept override { return {}; }
};

template <class A, class... Arguments>
Ref<A> spawn(auto& system, troupe::Middleware* around, Arguments... arguments) {
  Props<A> props(arguments...);
  return system.spawn(around == nullptr ? std::move(props) : std::move(props).through(*around)).value();
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return EXIT_FAILURE;
  const std::string_view how = arguments[1];
  const std::string_view where = arguments[2];
  const int messages = std::atoi(arguments[3]);

  constexpr troupe::Limits limits{.actors = 8, .sides = 8, .messages = 256, .frames = 8};
  StillClock clock;
  Silent silent;
  const auto system = std::make_unique<troupe::StaticSystem<limits>>(clock);
  (void)spawn<Counter>(*system, where == "elsewhere" ? &silent : nullptr);
  troupe::Middleware* own = where == "own" ? &silent : nullptr;
  const auto counter = spawn<Counter>(*system, own);
  const auto asker = spawn<Asker>(*system, own, counter);
  system->pump();

  const int row = how == "row" ? 32 : 1;
  for (int sent = 0; sent < messages; sent += row) {
    for (int i = 0; i < row; ++i) {
      const bool accepted = how == "ask" ? asker.tell<Go>().accepted() : counter.tell<Add>(1).accepted();
      if (!accepted) return EXIT_FAILURE;
    }
    system->pump();
  }
  return system->counters().handled.value() >= static_cast<std::uint64_t>(messages) ? EXIT_SUCCESS : EXIT_FAILURE;
}
