// expect: a message is aligned to at most 16 bytes
#include <chrono>

#include <troupe/core/timer.hpp>

#ifdef TROUPE_CORRECT
struct Tick {};
#else
struct alignas(64) Tick {};
#endif

struct Clock {
  void on(const troupe::Started&, troupe::Context& context) { context.every(this, std::chrono::seconds(1), Tick{}); }
  void on(const Tick&) {}
};
