// expect: Clock.*Alarm
// expect: ActorDoesNotHandle
#include <chrono>

#include <troupe/core/timer.hpp>

using namespace std::chrono_literals;

struct Tick {};
struct Alarm {};

struct Clock {
  void on(const troupe::Started&, troupe::Context& context) {
#ifdef TROUPE_CORRECT
    context.every(this, 1s, Tick{});
#else
    context.every(this, 1s, Alarm{});
#endif
  }
  void on(const Tick&) {}
};
