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

void use(const troupe::Ref<Counter>& counter) {
#ifdef TROUPE_CORRECT
  counter.tell(Add{1});
#else
  counter.tell(Reset{});
#endif
}
