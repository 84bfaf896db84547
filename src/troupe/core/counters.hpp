// Counters: plain additions by one thread, readable by any.
//
// The figures keep the law of no message without a fate: sent = handled + rejected + dropped + dead + queued.
// Each is written by the worker on which it happens, so that counting needs no shared line.
#pragma once

#include <cstdint>

#include <troupe/core/atomic.hpp>

namespace troupe {

class Counter {
 public:
  void add(std::uint64_t amount = 1) noexcept {
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  void subtract(std::uint64_t amount = 1) noexcept {
    value_.store(value_.load(std::memory_order_relaxed) - amount, std::memory_order_relaxed);
  }
  void raise_to(std::uint64_t value) noexcept {
    if (value > value_.load(std::memory_order_relaxed)) value_.store(value, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  Atomic<std::uint64_t> value_{0};
};

// Of one worker, or of one outside thread's entrance to a system.
struct Counters {
  Counter sent;       // attempts
  Counter handled;    // turns that ended; failed ones too
  Counter rejected;   // refused at the call
  Counter dropped;    // by drop_newest and drop_oldest
  Counter dead;       // accepted, but no handler saw them
  Counter stashed;    // put aside by handlers,
  Counter unstashed;  // and taken up again, or dead
  Counter late;       // replies that nobody waited for any more
  Counter runs;       // how often an actor was given the worker
  Counter parks;
  Counter shared;     // actors given away to other workers
  Counter waited_ns;  // time actors stood ready, sampled
  Counter waits;      // how many samples that is
};

// Of one actor type on one worker.
struct alignas(64) TypeCounters {
  Counter processed;
  Counter failed;
  Counter restarts;
  Counter handler_ns;  // estimated from one message in 64
  Counter handler_samples;
};

}  // namespace troupe
