// expect: Counter.*Reset
// expect: ActorDoesNotHandle
#include <troupe/core/protocol.hpp>

struct Get {};
struct Reset {};

struct Counter {
  int on(const Get&) { return 0; }
};

void use(const troupe::Ref<Counter>& counter) {
#ifdef TROUPE_CORRECT
  troupe::Ref<troupe::Protocol<int(Get)>> port = counter;
#else
  troupe::Ref<troupe::Protocol<int(Get), void(Reset)>> port = counter;
#endif
  (void)port;
}
