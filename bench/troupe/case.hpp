// What a case is asked and what it answers; cases.py says what each of them does.
#pragma once

#include <chrono>
#include <cstdint>
#include <latch>

#include <troupe/troupe.hpp>

struct Run {
  unsigned workers;
  bool block;  // else unbounded, where the case asks
  std::uint64_t messages;
};

struct Measured {
  std::uint64_t messages = 0;
  std::uint64_t ns = 0;
  double bytes_per_actor = -1;
  double p50_us = -1;
  double p99_us = -1;
  std::int64_t lost = -1;
};

using Case = Measured (*)(const Run&);

class Stopwatch {
 public:
  [[nodiscard]] std::uint64_t ns() const {
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(std::chrono::steady_clock::now() - began_).count());
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// The product as it is, but for the number of threads.
inline troupe::SystemOptions with_workers(unsigned workers) {
  return {.dispatchers = {{.name = "bench", .threads = workers}}};
}

// The mailbox of a receiver that is flooded.
inline troupe::MailboxOptions flooded(const Run& run) {
  return run.block ? troupe::bounded(64, troupe::Overflow::block) : troupe::unbounded();
}

// Ends the program with status 1: a figure with a message missing is worth nothing.
void demand(bool right, const char* what);

// A tenth of the work, then all of it; what is measured is the second.
template <class Play>
Measured warmed_up(const Run& run, Play play) {
  play(run.messages / 10 + 1);
  const Stopwatch watch;
  play(run.messages);
  return {.messages = run.messages, .ns = watch.ns()};
}

Measured ping_pong_1(const Run&);
Measured ping_pong_100(const Run&);
Measured counting(const Run&);
Measured fan_in(const Run&);
Measured outside(const Run&);
Measured ring(const Run&);
Measured create(const Run&);
Measured create_one(const Run&);
Measured idle(const Run&);
Measured big(const Run&);
Measured skynet(const Run&);
Measured ask(const Run&);
Measured devices(const Run&);
Measured bounded_reject(const Run&);
Measured bounded_drop_oldest(const Run&);
Measured bounded_block(const Run&);
Measured bulkhead(const Run&);
Measured bulkhead_alone(const Run&);
Measured timers(const Run&);
Measured wake(const Run&);
Measured wake_futex(const Run&);
