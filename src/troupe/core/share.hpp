// Share: what an actor may have of its worker before the next one's turn.
#pragma once

#include <cstdint>

#include <troupe/core/kernel.hpp>
#include <troupe/core/worker.hpp>

namespace troupe::turns {

// Messages, and time where the dispatcher limits that too. Time is looked at once in a few messages, so that a share without a limit of time costs one decrement a message.
class Share {
 public:
  Share(Worker& worker, std::uint32_t messages) noexcept : worker_(worker), left_(messages) {
    if (worker.time_per_turn > Duration::zero()) ends_ = after(worker.kernel->clock().now(), worker.time_per_turn);
    next_look();
  }
  // One message less; true: the share is used up.
  [[nodiscard]] bool spend() noexcept { return --until_look_ == 0 && is_spent(); }

 private:
  static constexpr std::uint32_t between_looks = 8;

  void next_look() noexcept {
    until_look_ = ends_ == end_of_time || left_ < between_looks ? left_ : between_looks;
    left_ -= until_look_;
  }
  [[gnu::cold]] bool is_spent() noexcept {
    if (left_ == 0 || worker_.kernel->clock().now() >= ends_) return true;
    next_look();
    return false;
  }

  Worker& worker_;
  std::uint32_t left_;
  std::uint32_t until_look_ = 0;
  Instant ends_ = end_of_time;
};

}  // namespace troupe::turns
