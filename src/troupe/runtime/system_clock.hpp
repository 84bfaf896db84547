// SystemClock: the machine's clocks.
#pragma once

#include <troupe/core/clock.hpp>

namespace troupe {

class SystemClock final : public Clock {
 public:
  [[nodiscard]] static SystemClock& shared() noexcept;
  [[nodiscard]] Instant now() noexcept override;
  [[nodiscard]] std::chrono::sys_time<Duration> wall() noexcept override;
};

}  // namespace troupe
