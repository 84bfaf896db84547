// expect: Protocol<int \(Get\)>.*Reset|Protocol<int\(Get\)>.*Reset
// expect: ActorDoesNotHandle
#include <troupe/core/protocol.hpp>

struct Get {};
struct Reset {};

troupe::Task<int> use(troupe::Ref<troupe::Protocol<int(Get)>> counter) {
#ifndef TROUPE_CORRECT
  counter.tell<Reset>();
#endif
  auto count = co_await counter.ask<Get>();
  co_return count;
}
