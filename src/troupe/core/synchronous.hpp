// Synchronous: the executor that its caller pumps. No operating system, no threads, no heap.
//
// All memory comes from one arena that the caller provides. Blocks are carved from it when a pool is empty and stay in
// their pools for ever; when the arena is used up an allocation fails, and the caller hears Error{Code::exhausted}.
#pragma once

#include <cstddef>
#include <cstdint>

#include <troupe/core/executor.hpp>
#include <troupe/core/kernel.hpp>
#include <troupe/core/side.hpp>
#include <troupe/core/worker.hpp>

namespace troupe {

// Hands out memory from front to back.
class Arena {
 public:
  constexpr Arena(std::byte* memory, std::size_t bytes) noexcept : memory_(memory), left_(bytes) {}
  // Aligned to 64; null: used up.
  [[nodiscard]] void* carve(std::size_t bytes) noexcept;
  [[nodiscard]] std::size_t left() const noexcept { return left_; }

 private:
  std::byte* memory_;
  std::size_t left_;
};

// Puts one fresh block of a class into a pool, built as what it will stay; false: the arena is used up.
bool carve_block(Arena& arena, Memory& memory, SizeClass size_class) noexcept;

class Synchronous final : public Executor {
 public:
  Synchronous(Arena& arena, Clock& clock) noexcept : arena_(&arena), clock_(&clock), wheel_(clock.now()) {}

  void serve(Kernel& kernel) noexcept;  // before the kernel opens
  [[nodiscard]] Worker& worker() noexcept { return worker_; }

  // Runs until nothing is ready; returns when the next timer is due.
  Instant pump();
  // Runs one actor for one message; false: nothing was ready.
  bool step();

  bool refill(Memory& memory, SizeClass size_class) noexcept override;
  void surplus(Memory&, SizeClass) noexcept override {}
  void share(Worker&) noexcept override {}
  bool park(Worker&, Instant) noexcept override { return false; }
  void wake(Worker& from, Cell& cell) noexcept override;

 private:
  Arena* arena_;
  Clock* clock_;
  Wheel wheel_;
  Worker worker_{*this, nullptr, Worker::no_system, &wheel_};
};

}  // namespace troupe
