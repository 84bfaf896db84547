#pragma once

#include <algorithm>
#include <vector>

#include "case.hpp"

[[nodiscard]] inline Measured of_latencies(std::vector<double> us, std::uint64_t ns) {
  std::ranges::sort(us);
  return {.messages = us.size(), .ns = ns, .p50_us = us[us.size() / 2], .p99_us = us[us.size() * 99 / 100]};
}
