// Figures: what a system has done and what it holds, as plain numbers.
//
// Read while actors run, they are exact for each counter but not a picture of one moment. When nothing runs the law
// holds: sent = handled + rejected + dropped + dead + queued.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <troupe/core/clock.hpp>

namespace troupe {

struct MessageFigures {
  std::uint64_t sent = 0;
  std::uint64_t handled = 0;
  std::uint64_t rejected = 0;
  std::uint64_t dropped = 0;
  std::uint64_t dead = 0;
  std::uint64_t queued = 0;   // waiting, stashed and in a handler
  std::uint64_t stashed = 0;  // of these
  std::uint64_t late = 0;     // replies, no messages

  [[nodiscard]] bool add_up() const noexcept { return sent == handled + rejected + dropped + dead + queued; }
};

struct TypeFigures {
  std::string type;  // the class
  std::uint64_t actors = 0;
  std::uint64_t processed = 0;
  std::uint64_t failed = 0;
  std::uint64_t restarts = 0;
  std::uint64_t queued = 0;
  Duration oldest{};       // how long the longest-waiting actor has stood ready
  Duration in_handlers{};  // estimated from one message in 64
};

struct DispatcherFigures {
  std::string name;
  unsigned threads = 0;
  std::uint64_t runs = 0;  // how often an actor was given a worker
  std::uint64_t processed = 0;
  std::uint64_t parks = 0;
  std::uint64_t shared = 0;  // actors given to another worker
  std::uint64_t ready = 0;   // stand ready now
  // The smallest and the largest share among the actor types that ran here; equal feeding gives equal shares.
};

struct Figures {
  MessageFigures messages;
  std::vector<TypeFigures> types;
  std::vector<DispatcherFigures> dispatchers;
};

}  // namespace troupe
