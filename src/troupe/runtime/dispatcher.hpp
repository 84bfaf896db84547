// Dispatchers: named groups of workers, each a bulkhead.
//
// With every thread of one dispatcher blocked, the actors of another go on. An actor's dispatcher is chosen by its
// Props, or by its class in the system's options; the first one of the list is the default.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <troupe/core/clock.hpp>

namespace troupe {

// Replaces how a worker sleeps, so that a server can park in its I/O reactor.
class Parking {
 public:
  virtual ~Parking() = default;
  // Sleeps until `wake`, or about so long; may return early. On the worker's own thread.
  virtual void park(Duration at_most) noexcept = 0;
  // Ends or forestalls one park; from any thread.
  virtual void wake() noexcept = 0;
};

struct DispatcherOptions {
  std::string name = "default";
  unsigned threads = 2;
  // An actor's share before the next one's: so many messages, and so much time (zero: no limit of time).
  std::uint32_t messages_per_turn = 64;
  Duration time_per_turn{};
  // One for each thread, or none.
  std::vector<Parking*> parking{};
};

// The dispatchers that device platforms use: small turns, so that no device starves another.
[[nodiscard]] inline DispatcherOptions device_dispatcher(std::string name, unsigned threads = 1) {
  return {.name = std::move(name), .threads = threads, .messages_per_turn = 5};
}

}  // namespace troupe
