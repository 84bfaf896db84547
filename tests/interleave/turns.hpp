// Turns: which threads could go on.
//
// A thread that yields rests until another has made a step. Yielding again, it also waits for each thread
// that could have gone on ever since but was never picked: otherwise two threads that spin could pass the
// turn to each other for ever, while the one they wait for never runs. (The rule of fair stateless model
// checking, Musuvathi and Qadeer.)
#pragma once

#include <array>
#include <cstdint>

#include <tests/interleave/operation.hpp>

namespace troupe::interleave {

class Turns {
 public:
  void reset(unsigned threads) noexcept {
    awake_ = static_cast<Threads>((1u << threads) - 1);
    asleep_ = 0;
    resting_ = 0;
    owed_.fill(0);
    picked_.fill(0xff);
  }

  // Empty if nobody can ever go on again.
  [[nodiscard]] Threads eligible() noexcept {
    auto ready = static_cast<Threads>(awake_ & ~resting_);
    if (ready == 0) {
      // All who are awake rest: there is nobody to wait for.
      resting_ = 0;
      owed_.fill(0);
      ready = awake_;
    }
    return ready;
  }

  void stepped(unsigned thread) noexcept {
    for (unsigned other = 0; other < max_threads; ++other) {
      if (other == thread) continue;
      picked_[other] |= only(thread);
      owed_[other] = static_cast<Threads>(owed_[other] & ~only(thread));
      if ((owed_[other] & awake_) == 0) resting_ = static_cast<Threads>(resting_ & ~only(other));
    }
  }
  void yields(unsigned thread) noexcept {
    owed_[thread] = static_cast<Threads>(awake_ & ~picked_[thread] & ~only(thread));
    picked_[thread] = 0;
    resting_ |= only(thread);
  }
  void sleeps(unsigned thread) noexcept {
    leave(thread);
    asleep_ |= only(thread);
  }
  void wakes(unsigned thread) noexcept {
    asleep_ = static_cast<Threads>(asleep_ & ~only(thread));
    awake_ |= only(thread);
  }
  void ends(unsigned thread) noexcept { leave(thread); }

  [[nodiscard]] bool asleep(unsigned thread) const noexcept { return contains(asleep_, thread); }
  [[nodiscard]] bool ended(unsigned thread) const noexcept { return !contains(awake_ | asleep_, thread); }
  [[nodiscard]] bool all_ended() const noexcept { return awake_ == 0 && asleep_ == 0; }

  [[nodiscard]] std::uint64_t hash() const noexcept {
    std::uint64_t fairness = 0;
    for (unsigned thread = 0; thread < max_threads; ++thread) {
      fairness = fairness << 16 | static_cast<std::uint64_t>(owed_[thread] << 8 | picked_[thread]);
    }
    return mix(fairness, static_cast<std::uint64_t>(awake_ << 16 | asleep_ << 8 | resting_));
  }

 private:
  // Nobody can wait for this one any more.
  void leave(unsigned thread) noexcept {
    awake_ = static_cast<Threads>(awake_ & ~only(thread));
    resting_ = static_cast<Threads>(resting_ & ~only(thread));
  }

  Threads awake_ = 0;
  Threads asleep_ = 0;
  Threads resting_ = 0;
  std::array<Threads, max_threads> owed_{};    // whose step it still waits for
  std::array<Threads, max_threads> picked_{};  // who stepped since it last yielded
};

}  // namespace troupe::interleave
