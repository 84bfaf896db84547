// expect: a protocol narrows to a part of itself|ActorDoesNotHandle<.*Protocol<.*Reset
#include <troupe/core/protocol.hpp>

struct Get {};
struct Add {};
struct Reset {};

using Wide = troupe::Protocol<int(Get), void(Add)>;

void use(const troupe::Ref<Wide>& wide) {
#ifdef TROUPE_CORRECT
  troupe::Ref<troupe::Protocol<void(Add)>> narrow = wide;
#else
  troupe::Ref<troupe::Protocol<void(Reset)>> narrow = wide;
#endif
  (void)narrow;
}
