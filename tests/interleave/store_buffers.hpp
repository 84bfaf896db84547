// StoreBuffers: the stores that their threads have made and nobody else can see yet.
//
// Each thread has one buffer, first in first out as on x86: a store waits in it while later loads of its
// thread already look at memory. In the weak model only what the code asks for is kept in order: a store with
// release waits for all before it, a relaxed one only for stores to the same variable.
//
// When a store leaves its buffer is a choice, but most moments are as good as any other. The departure of a
// store to x commutes with everything except accesses to x by others, other departures to x, and what empties
// its own buffer. So each departure can be put off, without changing what anybody sees, until right before an
// operation that it matters to. `candidates` names the departures that matter to one operation; nothing else
// ever needs to be tried. Since this moves no thread's own operation, it costs no preemption: it is exact
// under a preemption bound.
#pragma once

#include <array>
#include <cstdint>

#include <tests/interleave/operation.hpp>

namespace troupe::interleave {

struct DelayedStore {
  model::Cell cell{nullptr, 0};
  std::uint64_t value = 0;
  std::uint64_t history = 0;   // of its thread, when it was made
  std::uint32_t sequence = 0;  // of its thread's stores
  bool release = false;
};

// A store, and those that have to leave the same buffer before it, as a set of positions.
struct Departure {
  std::uint8_t thread;
  std::uint32_t positions;
};

struct Departures;

class StoreBuffers {
 public:
  // A thread that holds back more loses the oldest to memory, as hardware does.
  static constexpr unsigned capacity = 32;

  void reset(bool weak) noexcept;

  [[nodiscard]] Threads filled() const noexcept { return filled_; }
  [[nodiscard]] std::uint32_t made(unsigned thread) const noexcept { return buffers_[thread].made; }
  // One more than the number of the youngest store that has left.
  [[nodiscard]] std::uint32_t left(unsigned thread) const noexcept { return buffers_[thread].left; }
  [[nodiscard]] bool full(unsigned thread) const noexcept { return buffers_[thread].count == capacity; }
  void add(unsigned thread, DelayedStore store) noexcept;

  // The youngest store of the thread to this address: what the thread itself sees. Null if there is none.
  [[nodiscard]] const DelayedStore* newest(unsigned thread, const void* address) const noexcept;

  // Takes the first store of the departure out of its buffer; false if there is none left.
  bool take(Departure& departure, DelayedStore& store) noexcept;
  void forget(unsigned thread, const void* address) noexcept;

  [[nodiscard]] Departure all_of(unsigned thread) const noexcept;
  [[nodiscard]] Departure oldest_of(unsigned thread) const noexcept;
  // The stores made before the given number.
  [[nodiscard]] Departure made_before(unsigned thread, std::uint32_t sequence) const noexcept;
  // What an update of this address must see in memory.
  [[nodiscard]] Departure up_to_newest(unsigned thread, const void* address) const noexcept;

  // The departures that matter to an operation of `thread` which looks at `address` (if any) in memory and
  // empties the buffers `drained`. Each ends with a store that matters and contains no other.
  void candidates(unsigned thread, const void* address, Threads drained, Departures& found) const noexcept;
  // Every single store that could leave now.
  void all_candidates(Departures& found) const noexcept;

 private:
  struct Buffer {
    std::array<DelayedStore, capacity> stores;
    unsigned count = 0;
    std::uint32_t made = 0;
    std::uint32_t left = 0;
  };

  [[nodiscard]] std::uint32_t before(const Buffer& buffer, unsigned position) const noexcept;
  [[nodiscard]] bool holds(unsigned thread, const void* address) const noexcept;
  [[nodiscard]] bool share_an_address(unsigned one, unsigned other) const noexcept;
  [[nodiscard]] bool held_by_another(unsigned thread, const void* address, Threads others) const noexcept;
  void erase(unsigned thread, unsigned position) noexcept;

  std::array<Buffer, max_threads> buffers_;
  Threads filled_ = 0;
  bool weak_ = false;
};

struct Departures {
  std::array<Departure, max_threads * StoreBuffers::capacity> list;
  unsigned count = 0;
  void add(Departure departure) noexcept { list[count++] = departure; }
};

}  // namespace troupe::interleave
