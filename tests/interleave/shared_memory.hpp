// SharedMemory: what the threads of a scenario see of each other.
//
// The values live in the variables themselves; this adds what hardware and a debugger know about them: the
// delayed stores of each thread, the history of each variable, and which memory must not be touched.
//
// A history is a hash. A variable's tells which stores it saw in which order; a thread's, which of them each
// of its loads saw. Together they identify a state of the program (visited.hpp), if other memory is used as
// the atomics allow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tests/interleave/operation.hpp>
#include <tests/interleave/store_buffers.hpp>
#include <tests/interleave/timeline.hpp>

namespace troupe::interleave {

// Values as the bytes of a variable.
[[nodiscard]] std::uint64_t read_bytes(model::Cell cell) noexcept;
void write_bytes(model::Cell cell, std::uint64_t value) noexcept;
[[nodiscard]] std::uint64_t updated(model::Update kind, std::uint64_t value, std::uint64_t operand) noexcept;

class SharedMemory {
 public:
  explicit SharedMemory(Timeline& timeline) : timeline_(timeline), variables_(first_size) {}

  void reset(bool weak) noexcept;

  // What memory holds, as opposed to what a thread sees through its own delayed stores.
  [[nodiscard]] std::uint64_t read(model::Cell cell, std::uint64_t& history) noexcept;
  void write(model::Cell cell, std::uint64_t value, std::uint64_t& history);
  // For operations that are ordered like stores but change no value.
  void touch(const void* address, std::uint64_t& history);

  void delay(unsigned thread, model::Cell cell, std::uint64_t value, bool release, std::uint64_t& history);
  void depart(Departure departure);
  [[nodiscard]] StoreBuffers& buffers() noexcept { return buffers_; }
  [[nodiscard]] const StoreBuffers& buffers() const noexcept { return buffers_; }

  void poison(const void* address, std::size_t bytes) {
    const auto* const begin = static_cast<const std::byte*>(address);
    poisoned_.push_back({begin, begin + bytes});
  }
  void unpoison(const void* address, std::size_t bytes);
  [[nodiscard]] bool poisoned(const void* address) const noexcept;
  // A delayed store reached poisoned memory.
  [[nodiscard]] bool corrupted() const noexcept { return corrupted_; }

  [[nodiscard]] std::uint64_t history() const noexcept { return history_; }
  // How often a value in memory has become another one.
  [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }

 private:
  struct Variable {
    const void* address = nullptr;
    std::uint64_t history = 0;
    std::uint64_t execution = 0;  // entries of earlier executions count as free
  };
  struct Region {
    const std::byte* begin;
    const std::byte* end;
  };
  static constexpr std::size_t first_size = 1024;

  [[nodiscard]] std::uint64_t& history_of(const void* address);
  void replace_history(const void* address, std::uint64_t& of_variable, std::uint64_t next) noexcept;
  void put(model::Cell cell, std::uint64_t value) noexcept;
  void grow();

  Timeline& timeline_;
  StoreBuffers buffers_;
  std::vector<Variable> variables_;
  std::vector<Region> poisoned_;
  std::uint64_t execution_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t history_ = 0;
  std::uint64_t changes_ = 0;
  bool corrupted_ = false;
};

}  // namespace troupe::interleave
