// Depot: the memory of the process, shared by all workers and threads.
//
// Workers trade in batches, one lock a few hundred messages. Nothing goes back to the operating system: cells must stay
// readable for stale references, and memory that was touched once is cheaper than memory that is new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <troupe/core/cell.hpp>
#include <troupe/core/memory.hpp>

namespace troupe {

class Depot {
 public:
  // One for the process; never destroyed, since threads may outlive main's statics.
  static Depot& shared() noexcept;

  bool refill(Memory& memory, SizeClass size_class) noexcept;
  void surplus(Memory& memory, SizeClass size_class) noexcept;
  // A worker or thread ends: all it holds comes back.
  void take_all(Memory& memory) noexcept;

  // Every cell that was ever made, in use or not. What is read of it must be atomic.
  template <class Visit>
  void each_cell(Visit visit) {
    const std::lock_guard lock(slabs_mutex_);
    for (const CellSlab& slab : cell_slabs_) {
      for (std::size_t i = 0; i < slab.count; ++i) {
        visit(*reinterpret_cast<Cell*>(slab.first + i * cell_bytes(slab.cell_class)));
      }
    }
  }

 private:
  struct Batch {
    void* first;
    std::uint32_t count;
  };
  struct Shelf {
    std::mutex mutex;
    std::vector<Batch> batches;
  };
  struct CellSlab {
    std::byte* first;
    std::size_t count;
    SizeClass cell_class;
  };

  bool carve(Memory& memory, SizeClass size_class) noexcept;
  [[nodiscard]] std::byte* claim(std::size_t bytes) noexcept;

  Shelf shelves_[size_classes];
  std::mutex slabs_mutex_;
  std::byte* slab_ = nullptr;
  std::size_t slab_left_ = 0;
  std::vector<CellSlab> cell_slabs_;
};

}  // namespace troupe
