// Whom a flood of messages reaches.
#pragma once

#include "case.hpp"

struct Increment {
  std::uint64_t by;
};

class Counter {
 public:
  Counter(std::latch& over, std::uint64_t expected) : over_(over), expected_(expected) {}
  void on(const Increment& increment) {
    sum_ += increment.by;
    if (--expected_ == 0) over_.count_down();
  }

 private:
  std::latch& over_;
  std::uint64_t expected_;
  std::uint64_t sum_ = 0;
};

struct Begin {};

// Sends so many, and waits for room where the mailbox has a bound.
class Producer {
 public:
  Producer(troupe::Ref<Counter> counter, std::uint64_t messages, bool block)
      : counter_(counter), messages_(messages), block_(block) {}

  troupe::Task<void> on(const Begin&) {
    if (block_) {
      for (std::uint64_t i = 0; i < messages_; ++i) co_await counter_.send<Increment>(1u);
    } else {
      for (std::uint64_t i = 0; i < messages_; ++i) counter_.tell<Increment>(1u);
    }
  }

 private:
  troupe::Ref<Counter> counter_;
  std::uint64_t messages_;
  bool block_;
};

Measured flood(const Run& run, unsigned producers);
