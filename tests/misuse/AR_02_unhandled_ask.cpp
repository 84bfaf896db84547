// expect: Counter.*Reset
// expect: ActorDoesNotHandle
#include <troupe/core/ref.hpp>

struct Get {};
struct Reset {};

struct Counter {
  int on(const Get&) { return 0; }
};

troupe::Task<int> use(troupe::Ref<Counter> counter) {
#ifdef TROUPE_CORRECT
  auto count = co_await counter.ask<Get>();
#else
  auto count = co_await counter.ask<Reset>();
#endif
  co_return count;
}
