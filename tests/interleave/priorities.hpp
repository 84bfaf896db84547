// Priorities: a random schedule that finds bugs of small depth with a known probability.
//
// Each thread gets a random priority, the highest that can go on does, and at a few random steps the one that
// runs becomes the lowest. A bug that needs d ordering constraints is found with probability at least 1 /
// (threads * steps^(d-1)). (Burckhardt et al., "A randomized scheduler with probabilistic guarantees of
// finding bugs".)
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <tests/interleave/operation.hpp>

namespace troupe::interleave {

class Priorities {
 public:
  void reset(std::uint64_t seed, unsigned changes, std::uint64_t expected_steps) {
    state_ = seed;
    for (auto& priority : priorities_) priority = static_cast<std::int64_t>(below(1u << 30)) + 1;
    changes_.clear();
    for (unsigned i = 0; i < changes; ++i) changes_.push_back(below(expected_steps + 1));
    lowest_ = 0;
  }

  [[nodiscard]] std::uint64_t below(std::uint64_t bound) noexcept {
    state_ = mix(state_, 0);
    return state_ % bound;
  }

  // The position, in a list of threads, of the one to go on.
  [[nodiscard]] unsigned pick(const std::uint8_t* threads, unsigned count, std::uint64_t step, unsigned last) {
    if (last < max_threads && std::erase(changes_, step) != 0) priorities_[last] = --lowest_;
    const auto* best = std::max_element(threads, threads + count, [this](unsigned one, unsigned other) {
      return priorities_[one] < priorities_[other];
    });
    return static_cast<unsigned>(best - threads);
  }

 private:
  std::uint64_t state_ = 0;
  std::array<std::int64_t, max_threads> priorities_{};
  std::vector<std::uint64_t> changes_;
  std::int64_t lowest_ = 0;
};

}  // namespace troupe::interleave
