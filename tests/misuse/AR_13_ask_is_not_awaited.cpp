// expect: awaited by co_await or system.wait; otherwise nothing is sent
#pragma GCC diagnostic error "-Wunused-result"
#include <troupe/core/ref.hpp>

struct Get {};

struct Counter {
  int on(const Get&) { return 0; }
};

troupe::Task<void> use(troupe::Ref<Counter> counter) {
#ifdef TROUPE_CORRECT
  co_await counter.ask<Get>();
#else
  counter.ask<Get>();
  co_return;
#endif
}
