// Timeline: what happened in an execution, for people.
//
// Everything is noted, always: that costs less than a switch, and a failure need not happen a second time to
// be told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tests/interleave/operation.hpp>

namespace troupe::interleave {

struct Event {
  enum class Outcome : std::uint8_t { done, delayed, forwarded, failed, spurious, slept, noted };

  Operation operation{};
  std::uint64_t seen = 0;  // the value found; of a wake the number woken
  const char* text = nullptr;
  std::uint8_t thread = 0;
  Outcome outcome = Outcome::done;
};

class Timeline {
 public:
  void clear() noexcept {
    events_.clear();
    names_.clear();
  }
  void add(const Event& event) { events_.push_back(event); }
  void name(const void* address, std::size_t bytes, const char* text) { names_.push_back({address, bytes, text}); }

  // One line an event.
  [[nodiscard]] std::string print(const char* const* thread_names) const;

 private:
  struct Name {
    const void* address;
    std::size_t bytes;
    const char* text;
  };

  [[nodiscard]] std::string label(const void* address) const;
  [[nodiscard]] std::string describe(const Event& event) const;

  std::vector<Event> events_;
  std::vector<Name> names_;
};

}  // namespace troupe::interleave
