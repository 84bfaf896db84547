// Worker: what runs actors, one at a time.
//
// A concrete struct that every executor uses inline: free lists, a run queue, a coarse clock, a wheel and counters.
// Nothing beside the ready queue keeps a second truth about who is runnable.
//
// An outside thread has a Worker too, one for each system it talks to (its door), for memory and counters; its run
// queue stays empty, because its dispatcher number matches no actor's.
#pragma once

#include <cstdint>

#include <troupe/core/cell.hpp>
#include <troupe/core/counters.hpp>
#include <troupe/core/executor.hpp>
#include <troupe/core/memory.hpp>
#include <troupe/core/owner_lock.hpp>
#include <troupe/core/ready.hpp>
#include <troupe/core/wheel.hpp>

namespace troupe {

struct Alarm;
class Kernel;

class Worker : public Memory {
 public:
  static constexpr std::uint16_t no_system = 0xffff;
  static constexpr std::uint16_t outside_index = 0xffff;

  // `wheel` is null at a door, which arms nothing.
  constexpr Worker(Executor& executor_in, Kernel* kernel_in, std::uint16_t number, Wheel* wheel_in) noexcept
      : Memory(executor_in), system(number), kernel(kernel_in), executor(&executor_in), wheel(wheel_in) {}

  // Makes an actor of this system runnable.
  void schedule(Cell& cell) noexcept {
    if (cell.dispatcher.load(order::relaxed) == dispatcher) [[likely]] {
      stamp_ready(cell, now);
      if (push_ready(cell) > share_above) [[unlikely]]
        executor->share(*this);
    } else {
      executor->wake(*this, cell);
    }
  }
  // The worker's own way to its queue, past guests. Returns how many wait now.
  std::uint32_t push_ready(Cell& cell) noexcept {
    const Owning owning(lock);
    return ready.push(&cell);
  }
  [[nodiscard]] Cell* pop_ready() noexcept {
    const Owning owning(lock);
    return ready.pop();
  }
  [[nodiscard]] std::uint32_t count_ready() noexcept {
    const Owning owning(lock);
    return ready.size();
  }
  [[nodiscard]] bool inside() const noexcept { return index != outside_index; }

  Atomic<std::uint16_t> system;  // its number; a door that closed has none
  std::uint8_t dispatcher = Cell::nowhere;
  bool muted = false;                    // it reaches no system: see cut.hpp
  std::uint16_t index = outside_index;   // among the workers of the system
  std::uint32_t messages_per_turn = 64;  // an actor's share before the next one's
  Duration time_per_turn{};              // zero: no limit of time
  std::uint32_t share_above = ~std::uint32_t{0};
  Kernel* kernel;
  Executor* executor;
  Cell* running = nullptr;
  const void* kept = nullptr;  // the envelope whose reply the running handler kept
  OwnerLock lock;              // of queue and wheel: who relieves a worker that is held up comes as a guest
  ReadyQueue ready;
  Wheel* wheel;
  Instant now = 0;  // read once a batch
  Counters counters;
  std::uint32_t until_sample = 64;
  Instant sample_began = 0;
  Atomic<Deliver> current{nullptr};  // what is being handled, for the sampler
  Atomic<Cell*> current_cell{nullptr};
  Atomic<std::uint64_t> turns{0};
  Atomic<std::uint64_t> batches{0};   // begun and ended ones, so odd in the midst of one
  Atomic<Alarm*> cancelled{nullptr};  // armed here, cancelled on another worker
};

// In no system: stands where a thread has not talked to any actor yet. Nothing is ever run or allocated by it.
extern Worker nobody;

#if defined(TROUPE_INTERLEAVE)
// The checker's threads are fibers of one thread; it swaps this when it switches.
inline constinit Worker* current_worker = &nobody;
#elif defined(TROUPE_BARE)
inline constinit Worker* current_worker = &nobody;
#else
inline constinit thread_local Worker* current_worker = &nobody;
#endif

// The caller's worker for a system: its own, or its door; null when the system has ended. While a system shuts down
// its doors take no messages, but replies and orders still pass.
[[nodiscard]] inline Worker* worker_for(Generation generation, Host::Errand errand) noexcept {
  Worker* worker = current_worker;
  if (worker->system.load(order::relaxed) == system_of(generation)) [[likely]]
    return worker;
  return host == nullptr || worker->muted ? nullptr : host->door(system_of(generation), errand);
}

// The caller's memory, wherever it is.
[[nodiscard]] inline Worker* memory_here() noexcept {
  if (current_worker != &nobody) [[likely]]
    return current_worker;
  return host == nullptr ? nullptr : &host->thread_memory();
}

}  // namespace troupe
