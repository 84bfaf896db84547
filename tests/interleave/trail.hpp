// Trail: the choices of one execution, and the way from one execution to the next.
//
// An execution is fully determined by the answers to "which of n?" that it asks for. Walking all of them
// depth first needs no memory of states: repeat the answers so far, change the last one that has an
// alternative left.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::interleave {

class Trail {
 public:
  static constexpr unsigned most_alternatives = 36;  // one character each

  // Repeats the executions that the text describes; text() of an earlier trail.
  void follow(std::string_view text);

  // One of `alternatives`: what the trail says or, beyond its end, the preferred one, which is then noted. A
  // trail that does not fit answers `alternatives`: the scenario did something else than the last time.
  [[nodiscard]] unsigned choose(unsigned alternatives, unsigned preferred = 0);

  // True while the answers come from an earlier execution.
  [[nodiscard]] bool repeating() const noexcept { return next_ < choices_.size(); }

  void rewind() noexcept { next_ = 0; }
  void clear() noexcept;

  // Turns to the next execution in depth-first order; false if this was the last.
  [[nodiscard]] bool advance() noexcept;

  [[nodiscard]] std::string text() const;

 private:
  struct Choice {
    std::uint8_t taken;
    std::uint8_t alternatives;  // 0: not known, the trail follows a text
  };
  std::vector<Choice> choices_;
  std::size_t next_ = 0;
};

}  // namespace troupe::interleave
