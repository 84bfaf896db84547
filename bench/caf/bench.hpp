// The CAF side: dynamically typed event-based actors, made of functions as in its manual. Mailboxes are unbounded.
#pragma once

#include <caf/all.hpp>
#include <chrono>
#include <cstdint>

struct Outcome {
  uint64_t messages;
  int64_t ns;
  double bytes_per_actor = 0;
};

using Clock = std::chrono::steady_clock;

// From a start to now, for so many messages.
Outcome measured(uint64_t messages, Clock::time_point start);

// Ends the program unless what arrived is what was sent.
void verify(const char* what, uint64_t found, uint64_t expected);

// The sum of the numbers below n.
inline uint64_t sum_below(uint64_t n) { return n * (n - 1) / 2; }

// Waits for so many reports of a number, and adds them up.
uint64_t sum_of_reports(caf::scoped_actor& self, uint64_t count);

// Receives so many messages, and reports the sum of their numbers.
caf::behavior counter(caf::event_based_actor* self, caf::actor report, uint64_t messages);

// Floods another actor with a range of numbers when it is told to begin.
caf::behavior producer(caf::event_based_actor* self, caf::actor to, uint64_t first, uint64_t end);

Outcome ping_pong(caf::actor_system& system, uint64_t pairs, uint64_t messages);
Outcome counting(caf::actor_system& system, uint64_t messages);
Outcome fan_in(caf::actor_system& system, uint64_t messages);
Outcome outside(caf::actor_system& system, uint64_t messages);
Outcome ring(caf::actor_system& system, uint64_t messages);
Outcome idle(caf::actor_system& system, uint64_t actors);
Outcome devices(caf::actor_system& system, uint64_t messages);
