// Visited: the states from which everything has been explored already.
//
// A state is known by the hash of its history up to reordering of independent operations: which store each
// load saw, and the order of the stores to each variable. Two executions that agree on that are in the same
// state. What can follow depends on the preemptions left as well, so each state remembers the fewest that
// were spent when it was met.
//
// Hashes have 64 bits; a million states collide with a probability of 3 in a hundred million.
#pragma once

#include <cstdint>
#include <vector>

namespace troupe::interleave {

class Visited {
 public:
  void clear() {
    states_.assign(first_size, 0);
    spent_.assign(first_size, 0);
    count_ = 0;
  }

  // True if the state was met before with no more preemptions spent. Notes it otherwise.
  bool met(std::uint64_t state, unsigned spent) {
    if (state == 0) state = 1;  // 0 is a free place
    for (std::size_t place = state & mask();; place = (place + 1) & mask()) {
      if (states_[place] == state) {
        if (spent_[place] <= spent) return true;
        spent_[place] = static_cast<std::uint8_t>(spent);
        return false;
      }
      if (states_[place] == 0) {
        if (count_ < most_states) insert(place, state, spent);
        return false;
      }
    }
  }

  [[nodiscard]] std::size_t count() const noexcept { return count_; }

 private:
  static constexpr std::size_t first_size = 1 << 12;
  // 144 MB. Beyond that nothing more is noted: the exploration repeats itself, but misses nothing.
  static constexpr std::size_t most_states = std::size_t{1} << 23;

  [[nodiscard]] std::size_t mask() const noexcept { return states_.size() - 1; }

  void insert(std::size_t place, std::uint64_t state, unsigned spent) {
    states_[place] = state;
    spent_[place] = static_cast<std::uint8_t>(spent);
    if (++count_ * 2 > states_.size()) grow();
  }

  void grow() {
    std::vector<std::uint64_t> states(states_.size() * 2, 0);
    std::vector<std::uint8_t> spent(states.size(), 0);
    states.swap(states_);
    spent.swap(spent_);
    for (std::size_t from = 0; from < states.size(); ++from) {
      if (states[from] == 0) continue;
      std::size_t place = states[from] & mask();
      while (states_[place] != 0) place = (place + 1) & mask();
      states_[place] = states[from];
      spent_[place] = spent[from];
    }
  }

  std::vector<std::uint64_t> states_ = std::vector<std::uint64_t>(first_size, 0);
  std::vector<std::uint8_t> spent_ = std::vector<std::uint8_t>(first_size, 0);
  std::size_t count_ = 0;
};

}  // namespace troupe::interleave
