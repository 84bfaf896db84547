// expect: Closed.*Enter
// expect: BehaviourLacks
#include <troupe/core/behaviour.hpp>
#include <troupe/core/ref.hpp>

struct Enter {};
struct Unlock {};

struct Open {
  int on(const Enter&) { return 1; }
  using refused = troupe::Messages<Unlock>;
};
struct Closed {
  void on(const Unlock&, troupe::Context& context) { (void)context.become(Open{}); }
#ifdef TROUPE_CORRECT
  using refused = troupe::Messages<Enter>;
#endif
};
using Door = troupe::OneOf<Closed, Open>;

void use(const troupe::Ref<Door>& door) { door.tell<Enter>(); }
