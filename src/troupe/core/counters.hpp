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
  void reset() noexcept { value_.store(0, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  Atomic<std::uint64_t> value_{0};
};

// Of one worker, or of one outside thread's entrance to a system.
struct Counters {
  Counter sent;          // attempts
  Counter handled;       // turns that ended; failed ones too
  Counter rejected;      // refused at the call
  Counter dropped;       // by drop_newest and drop_oldest
  Counter dead;          // accepted, but no handler saw them
  Counter stashed;       // put aside by handlers,
  Counter unstashed;     // and taken up again, or dead
  Counter late;          // replies that nobody waited for any more
  Counter runs;          // how often an actor was given the worker
  Counter full_runs;     // of these: the actor used up its share and stood in line again
  Counter longest_run;   // messages
  Counter waited;        // how long actors stood ready, in units of a Stamp
  Counter longest_wait;  // likewise
  Counter parks;
  Counter shared;    // actors given away to other workers
  Counter relieved;  // likewise, but taken by the attendant; it alone counts them
};

// Of one actor type on one worker.
struct alignas(64) TypeCounters {
  Counter processed;
  Counter failed;
  Counter restarts;
  Counter dead;
  Counter handler_ns;  // estimated from one message in 64
  Counter suspensions;
  Counter suspended_ns;  // of those that have ended
  Counter reserve_peak;  // most reserved slots in use at once
};

// Of one actor type: what its mailboxes did not take. On a line of its own, because any thread that finds no room adds
// to it, and only then.
struct alignas(64) RefusalCounters {
  Atomic<std::uint64_t> rejected{0};
  Atomic<std::uint64_t> dropped{0};
};

}  // namespace troupe
