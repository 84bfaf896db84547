// expect: Overflow::block needs senders that can wait, and a StaticSystem has none: use Overflow::reject
#include <chrono>

#include <troupe/core/static_system.hpp>

struct Motor {
  void on(const int&) {}
};

#ifdef TROUPE_CORRECT
constexpr auto policy = troupe::Overflow::reject;
#else
constexpr auto policy = troupe::Overflow::block;
#endif

void use(troupe::StaticSystem<troupe::Limits{}>& device) {
  (void)device.spawn(troupe::Props<Motor>().mailbox(troupe::bounded(10, policy)).stop_within(std::chrono::seconds(1)));
}
