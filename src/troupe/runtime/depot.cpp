#include <troupe/runtime/depot.hpp>

#include <algorithm>
#include <cstdlib>
#include <new>

#include <troupe/core/mailbox.hpp>
#include <troupe/core/side.hpp>

namespace troupe {

namespace {

constexpr std::size_t slab_bytes = std::size_t{1} << 20;

std::size_t bytes_of(SizeClass size_class) noexcept {
  if (size_class == side_class) return sizeof(Side);
  return is_stable(size_class) ? cell_bytes(size_class) : block_bytes(size_class);
}

// About 16 KiB a trade: small enough to stay in a cache, large enough that the lock does not matter.
std::uint32_t batch_of(SizeClass size_class) noexcept {
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(16384 / bytes_of(size_class), 1, 128));
}

void* next_of(void* block, SizeClass size_class) noexcept {
  if (is_stable(size_class)) return static_cast<StableBlock*>(block)->next;
  return static_cast<Block*>(block)->next;
}

void link(void* block, void* next, SizeClass size_class) noexcept {
  if (is_stable(size_class)) {
    static_cast<StableBlock*>(block)->next = static_cast<StableBlock*>(next);
  } else {
    static_cast<Block*>(block)->next = static_cast<Block*>(next);
  }
}

}  // namespace

Depot& Depot::shared() noexcept {
  static auto* depot = new Depot;
  return *depot;
}

bool Depot::refill(Memory& memory, SizeClass size_class) noexcept {
  Memory::Pool& pool = memory.pool(size_class);
  pool.keep = 2 * batch_of(size_class);
  Shelf& shelf = shelves_[size_class];
  {
    const std::lock_guard lock(shelf.mutex);
    if (!shelf.batches.empty()) {
      const Batch batch = shelf.batches.back();
      shelf.batches.pop_back();
      pool.free = batch.first;
      pool.count = batch.count;
      return true;
    }
  }
  return carve(memory, size_class);
}

void Depot::surplus(Memory& memory, SizeClass size_class) noexcept {
  Memory::Pool& pool = memory.pool(size_class);
  const std::uint32_t count = std::min(batch_of(size_class), pool.count);
  void* first = pool.free;
  void* last = first;
  for (std::uint32_t i = 1; i < count; ++i) last = next_of(last, size_class);
  pool.free = next_of(last, size_class);
  pool.count -= count;
  link(last, nullptr, size_class);
  Shelf& shelf = shelves_[size_class];
  const std::lock_guard lock(shelf.mutex);
  shelf.batches.push_back({first, count});
}

void Depot::take_all(Memory& memory) noexcept {
  for (unsigned size_class = 0; size_class < size_classes; ++size_class) {
    while (memory.pool(static_cast<SizeClass>(size_class)).count > 0)
      surplus(memory, static_cast<SizeClass>(size_class));
  }
}

std::byte* Depot::claim(std::size_t bytes) noexcept {
  if (bytes > slab_left_) {
    const std::size_t fresh = std::max(slab_bytes, (bytes + block_unit - 1) / block_unit * block_unit);
    auto* slab = static_cast<std::byte*>(std::aligned_alloc(block_unit, fresh));
    // The mailbox word holds 48 bits of an address.
    if (slab == nullptr || (reinterpret_cast<std::uintptr_t>(slab) + fresh) >> mailbox::count_shift != 0)
      return nullptr;
    slab_ = slab;
    slab_left_ = fresh;
  }
  std::byte* claimed = slab_;
  const std::size_t taken = (bytes + block_unit - 1) / block_unit * block_unit;
  slab_ += taken;
  slab_left_ -= taken;
  return claimed;
}

bool Depot::carve(Memory& memory, SizeClass size_class) noexcept {
  const std::size_t bytes = bytes_of(size_class);
  const std::uint32_t count = batch_of(size_class);
  std::byte* first = nullptr;
  {
    const std::lock_guard lock(slabs_mutex_);
    first = claim(bytes * count);
    if (first == nullptr) return false;
    for (std::uint32_t i = 0; is_stable(size_class) && i < count; ++i) {
      if (size_class == side_class) {
        new (first + i * bytes) Side;
      } else {
        (new (first + i * bytes) Cell)->word.store(mailbox::closed, order::relaxed);
      }
    }
    if (is_stable(size_class) && size_class != side_class) cell_slabs_.push_back({first, count, size_class});
  }
  // From the back, so that they are used from the front.
  Memory::Pool& pool = memory.pool(size_class);
  for (std::uint32_t i = count; i-- > 0;) {
    std::byte* block = first + i * bytes;
    link(block, pool.free, size_class);
    pool.free = block;
    if (!is_stable(size_class)) {
      Memory::poison(block + sizeof(Block), bytes - sizeof(Block));
    } else if (size_class != side_class) {
      Memory::poison(block + cell_header, bytes - cell_header);
    }
  }
  pool.count += count;
  return true;
}

}  // namespace troupe
