// expect: a message is aligned to at most 16 bytes
#include <troupe/core/ref.hpp>

#ifdef TROUPE_CORRECT
struct Samples {
#else
struct alignas(64) Samples {
#endif
  float values[16];
};

struct Filter {
  void on(const Samples&) {}
};

void use(const troupe::Ref<Filter>& filter, const Samples& samples) { filter.tell(samples); }
