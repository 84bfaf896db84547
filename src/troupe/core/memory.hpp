// Memory: where envelopes, frames, timers and cells come from.
//
// A worker owns free lists, one a size class, and takes from them without an atomic. When a list is empty the
// executor refills it, when it grows too long the executor takes the surplus back: once a few hundred messages,
// under its own lock. Nothing here knows malloc; a device refills from a static arena until that is used up, and
// then an allocation is null, which callers turn into Error{Code::exhausted}.
//
// Two kinds of block exist. Plain ones hold anything while in use. Stable ones (cells and their side blocks) stay
// what they are for ever, because a stale reference may still read them; their link while free lies where such
// a reader never looks.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#define TROUPE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TROUPE_ASAN 1
#endif
#endif
#ifdef TROUPE_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace troupe {

class Executor;

using SizeClass = std::uint8_t;

inline constexpr std::size_t block_unit = 64;           // envelopes lie on it: the mailbox word uses the low six bits
inline constexpr SizeClass linear_classes = 64;         // 64 bytes to 4 KiB in steps of 64
inline constexpr SizeClass block_classes = 64 + 8 + 1;  // then doubling to 1 MiB; class 0 is "too large"
inline constexpr SizeClass cell_classes = 40;           // states up to 512 bytes in steps of 16, doubling to 64 KiB
inline constexpr SizeClass first_cell_class = block_classes;
inline constexpr SizeClass side_class = first_cell_class + cell_classes;
inline constexpr SizeClass size_classes = side_class + 1;

[[nodiscard]] constexpr SizeClass size_class_of(std::size_t bytes) noexcept {
  if (bytes <= linear_classes * block_unit) return static_cast<SizeClass>((bytes + block_unit - 1) / block_unit);
  const auto doublings = std::bit_width((bytes - 1) / (linear_classes * block_unit));
  return doublings > 8 ? SizeClass{0} : static_cast<SizeClass>(linear_classes + doublings);
}

[[nodiscard]] constexpr std::size_t block_bytes(SizeClass size_class) noexcept {
  if (size_class <= linear_classes) return size_class * block_unit;
  return (linear_classes * block_unit) << (size_class - linear_classes);
}

[[nodiscard]] constexpr SizeClass cell_class_of(std::size_t state_bytes) noexcept {
  constexpr std::size_t step = 16;
  constexpr std::size_t linear = 512;
  if (state_bytes <= linear) return static_cast<SizeClass>(first_cell_class + (state_bytes + step - 1) / step);
  return static_cast<SizeClass>(first_cell_class + linear / step + std::bit_width((state_bytes - 1) / linear));
}

[[nodiscard]] constexpr std::size_t state_bytes_of(SizeClass cell_class) noexcept {
  const std::size_t index = cell_class - first_cell_class;
  return index <= 32 ? index * 16 : std::size_t{512} << (index - 32);
}

inline constexpr std::size_t largest_state = state_bytes_of(side_class - 1);

// A free block. Plain blocks are linked through their first word, stable ones through the eighth.
struct Block {
  Block* next;
};
struct StableBlock {
  std::byte kept[56];
  StableBlock* next;
};

class Memory {
 public:
  constexpr explicit Memory(Executor& executor) noexcept : executor_(&executor) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  [[nodiscard]] void* allocate(SizeClass size_class) noexcept {
    Pool& pool = pools_[size_class];
    if (pool.free == nullptr) [[unlikely]] {
      if (!refill(size_class)) return nullptr;
    }
    auto* block = static_cast<Block*>(pool.free);
    unpoison(block, block_bytes(size_class));
    pool.free = block->next;
    --pool.count;
    return block;
  }

  void free(void* memory, SizeClass size_class) noexcept {
    Pool& pool = pools_[size_class];
    auto* block = static_cast<Block*>(memory);
    block->next = static_cast<Block*>(pool.free);
    pool.free = block;
    poison(block + 1, block_bytes(size_class) - sizeof(Block));
    if (++pool.count > pool.keep) [[unlikely]]
      surplus(size_class);
  }

  [[nodiscard]] void* allocate_stable(SizeClass size_class) noexcept {
    Pool& pool = pools_[size_class];
    if (pool.free == nullptr) [[unlikely]] {
      if (!refill(size_class)) return nullptr;
    }
    auto* block = static_cast<StableBlock*>(pool.free);
    pool.free = block->next;
    --pool.count;
    return block;
  }

  void free_stable(void* memory, SizeClass size_class) noexcept {
    Pool& pool = pools_[size_class];
    auto* block = static_cast<StableBlock*>(memory);
    block->next = static_cast<StableBlock*>(pool.free);
    pool.free = block;
    if (++pool.count > pool.keep) [[unlikely]]
      surplus(size_class);
  }

  // For executors, when they refill or take back.
  struct Pool {
    void* free = nullptr;
    std::uint32_t count = 0;
    std::uint32_t keep = 256;
  };
  [[nodiscard]] Pool& pool(SizeClass size_class) noexcept { return pools_[size_class]; }

  static void poison([[maybe_unused]] void* from, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef TROUPE_ASAN
    __asan_poison_memory_region(from, bytes);
#endif
  }
  static void unpoison([[maybe_unused]] void* from, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef TROUPE_ASAN
    __asan_unpoison_memory_region(from, bytes);
#endif
  }

 private:
  [[gnu::cold, gnu::noinline]] bool refill(SizeClass size_class) noexcept;
  [[gnu::cold, gnu::noinline]] void surplus(SizeClass size_class) noexcept;

  Pool pools_[size_classes];
  Executor* executor_;
};

[[nodiscard]] constexpr bool is_stable(SizeClass size_class) noexcept { return size_class >= first_cell_class; }

}  // namespace troupe
