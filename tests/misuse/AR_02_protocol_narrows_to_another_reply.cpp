// expect: a narrower protocol keeps the reply of each message|ReplyHasAnotherType<.*Get.*long.*int
#include <troupe/core/protocol.hpp>

struct Get {};
struct Add {};

using Wide = troupe::Protocol<int(Get), void(Add)>;

void use(const troupe::Ref<Wide>& wide) {
#ifdef TROUPE_CORRECT
  troupe::Ref<troupe::Protocol<int(Get)>> narrow = wide;
#else
  troupe::Ref<troupe::Protocol<long(Get)>> narrow = wide;
#endif
  (void)narrow;
}
