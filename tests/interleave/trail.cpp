#include <tests/interleave/trail.hpp>

#include <algorithm>
#include <stdexcept>

namespace troupe::interleave {

namespace {
constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
static_assert(digits.size() == Trail::most_alternatives);
}  // namespace

void Trail::follow(std::string_view text) {
  clear();
  for (const char character : text) {
    const auto digit = digits.find(character);
    if (digit == std::string_view::npos) throw std::invalid_argument("a replay text consists of 0-9 and a-z");
    choices_.push_back({static_cast<std::uint8_t>(digit), 0});
  }
}

unsigned Trail::choose(unsigned alternatives, unsigned preferred) {
  if (!repeating()) {
    choices_.push_back({static_cast<std::uint8_t>(preferred), static_cast<std::uint8_t>(alternatives)});
  }
  Choice& choice = choices_[next_++];
  const bool fits = choice.alternatives == 0 || choice.alternatives == alternatives;
  return fits && choice.taken < alternatives ? choice.taken : alternatives;
}

void Trail::clear() noexcept {
  choices_.clear();
  next_ = 0;
}

bool Trail::advance() noexcept {
  while (!choices_.empty() && choices_.back().taken + 1 >= choices_.back().alternatives) choices_.pop_back();
  if (choices_.empty()) return false;
  ++choices_.back().taken;
  next_ = 0;
  return true;
}

std::string Trail::text() const {
  std::string text;
  for (const Choice& choice : choices_) text.push_back(digits[choice.taken]);
  // Beyond the end of a trail the first alternative is taken anyway.
  text.erase(std::find_if(text.rbegin(), text.rend(), [](char digit) { return digit != '0'; }).base(), text.end());
  return text;
}

}  // namespace troupe::interleave
