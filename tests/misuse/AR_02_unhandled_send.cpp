// expect: Counter.*Reset
// expect: ActorDoesNotHandle
#include <troupe/core/ref.hpp>

struct Add {
  int amount;
};
struct Reset {};

struct Counter {
  void on(const Add&) {}
};

troupe::Task<void> use(troupe::Ref<Counter> counter) {
#ifdef TROUPE_CORRECT
  co_await counter.send<Add>(1);
#else
  co_await counter.send<Reset>();
#endif
}
