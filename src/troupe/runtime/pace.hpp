// Pace: how long a worker's actors take, and what follows from that.
//
// Waking another thread costs about as much as two thousand messages, so a worker gives work away only if what waits in
// its queue takes longer than that. And it looks at clock, timers and inbox again after about a millisecond, however
// many actors ran: the clock is read once a batch, so the batch has to be short.
#pragma once

#include <algorithm>
#include <cstdint>

#include <troupe/core/clock.hpp>

namespace troupe {

class Pace {
 public:
  // So many runs of actors took so long together.
  void observe(std::uint32_t runs, Instant length) noexcept {
    ns_per_run_ = std::max<std::uint64_t>(1, (7 * ns_per_run_ + length / runs) / 8);
  }

  // Of the actors that wait in the queue, how many are not worth waking anybody for. A single one is often the next
  // link of a chain whose present link is about to end: it goes only if waking is small against running it.
  [[nodiscard]] std::uint32_t keeps() const noexcept {
    if (ns_per_run_ >= 10 * wake_ns) return 0;
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, wake_ns / ns_per_run_));
  }

  [[nodiscard]] std::uint32_t runs_a_batch() const noexcept {
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(batch_ns / ns_per_run_, 1, most_runs));
  }

 private:
  static constexpr std::uint64_t wake_ns = 50'000;
  static constexpr std::uint64_t batch_ns = 1'000'000;
  static constexpr std::uint64_t most_runs = 64;

  std::uint64_t ns_per_run_ = 200;  // a guess that the first batches correct
};

}  // namespace troupe
