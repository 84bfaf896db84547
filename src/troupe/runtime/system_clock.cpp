#include <troupe/runtime/system_clock.hpp>

namespace troupe {

SystemClock& SystemClock::shared() noexcept {
  static constinit SystemClock clock;
  return clock;
}

Instant SystemClock::now() noexcept {
  return static_cast<Instant>(
      std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch()).count());
}

std::chrono::sys_time<Duration> SystemClock::wall() noexcept {
  return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
}

}  // namespace troupe
