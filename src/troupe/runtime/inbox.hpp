// Inbox and Sleepers: how runnable actors reach a dispatcher, and how its workers sleep. threads.hpp has the argument.
#pragma once

#include <bit>
#include <cstdint>

#include <troupe/core/atomic.hpp>
#include <troupe/core/cell.hpp>

namespace troupe {

class Inbox {
 public:
  // True: it was empty, so the caller must see to a sleeper.
  bool push(Cell& cell) noexcept {
    Cell* first = first_.load(order::relaxed);
    do {
      cell.next_ready = first;
    } while (!first_.compare_exchange_weak(first, &cell, order::seq_cst, order::relaxed));
    return first == nullptr;
  }
  // All of it, newest first.
  [[nodiscard]] Cell* take() noexcept {
    return first_.load(order::relaxed) == nullptr ? nullptr : first_.exchange(nullptr, order::acquire);
  }
  [[nodiscard]] bool empty() const noexcept { return first_.load(order::seq_cst) == nullptr; }

 private:
  Atomic<Cell*> first_{nullptr};
};

// Which workers of a dispatcher sleep, or are about to: at most 64.
class Sleepers {
 public:
  static constexpr unsigned most = 64;

  void announce(unsigned worker) noexcept { set_.fetch_or(bit(worker), order::seq_cst); }
  // True: the worker withdrew by itself; false: a waker has taken it and will wake it.
  bool withdraw(unsigned worker) noexcept { return (set_.fetch_and(~bit(worker), order::acq_rel) & bit(worker)) != 0; }
  // Takes one to wake, or none (most).
  [[nodiscard]] unsigned take() noexcept {
    std::uint64_t set = set_.load(order::seq_cst);
    while (set != 0) {
      const auto worker = static_cast<unsigned>(std::countr_zero(set));
      if (set_.compare_exchange_weak(set, set & ~bit(worker), order::acq_rel, order::acquire)) return worker;
    }
    return most;
  }
  [[nodiscard]] bool any() const noexcept { return set_.load(order::seq_cst) != 0; }

 private:
  static constexpr std::uint64_t bit(unsigned worker) noexcept { return std::uint64_t{1} << worker; }
  Atomic<std::uint64_t> set_{0};
};

}  // namespace troupe
