// AlarmBook: the alarms of one actor, found by key.
//
// Most actors have one alarm or two, and those are one short chain. From there on it is a hash table of chains that
// doubles, so that an actor with a million timers cancels as fast as one with ten. The table comes from the worker's
// pools; without memory for a larger one the chains only grow longer.
#pragma once

#include <cstdint>

#include <troupe/core/memory.hpp>

namespace troupe {

struct Alarm;

class AlarmBook {
 public:
  AlarmBook() noexcept = default;
  AlarmBook(const AlarmBook&) = delete;
  AlarmBook& operator=(const AlarmBook&) = delete;

  // By key and, where keys are alike, newest first.
  void add(Memory& memory, Alarm& alarm) noexcept;
  // The table goes with its last alarm.
  void remove(Memory& memory, Alarm& alarm) noexcept;
  // The timer of that key, or null.
  [[nodiscard]] Alarm* find(std::uint64_t key) const noexcept;
  // Any of them; null: there is none.
  [[nodiscard]] Alarm* any() const noexcept;
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

 private:
  static constexpr std::uint32_t per_chain = 4;

  [[nodiscard]] Alarm** chain_of(std::uint64_t key) const noexcept;
  void grow(Memory& memory) noexcept;

  Alarm* single_ = nullptr;  // the chain, as long as there is one
  Alarm** table_ = nullptr;  // else these
  std::uint32_t size_ = 0;
  std::uint8_t doublings_ = 0;
  SizeClass table_class_ = 0;
};

}  // namespace troupe
