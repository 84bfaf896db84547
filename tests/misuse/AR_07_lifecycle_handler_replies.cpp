// expect: a lifecycle handler returns void, Result<void> or Task<void>
#include <troupe/core/props.hpp>

struct Counter {
#ifdef TROUPE_CORRECT
  troupe::Result<void> on(const troupe::Started&) { return {}; }
#else
  int on(const troupe::Started&) { return 1; }
#endif
};

void use(troupe::Context& context) { context.spawn<Counter>(); }
