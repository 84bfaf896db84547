// expect: the alternatives of a OneOf must give one message one reply
#include <troupe/core/behaviour.hpp>
#include <troupe/core/ref.hpp>

struct Look {};

struct Open {
  int on(const Look&) { return 1; }
};
struct Closed {
#ifdef TROUPE_CORRECT
  int on(const Look&) { return 0; }
#else
  bool on(const Look&) { return false; }
#endif
};
using Door = troupe::OneOf<Closed, Open>;

void use(const troupe::Ref<Door>& door) { door.tell<Look>(); }
