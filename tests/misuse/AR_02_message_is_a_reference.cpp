// expect: a message is a plain type: no reference, no const
#include <troupe/core/ref.hpp>

struct Add {
  int amount;
};

struct Counter {
  void on(const Add&) {}
};

void use(const troupe::Ref<Counter>& counter, Add& add) {
#ifdef TROUPE_CORRECT
  counter.tell<Add>(add);
#else
  counter.tell<Add&>(add);
#endif
}
