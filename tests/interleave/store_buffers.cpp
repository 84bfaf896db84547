#include <tests/interleave/store_buffers.hpp>

#include <algorithm>
#include <bit>

namespace troupe::interleave {

namespace {
constexpr std::uint32_t first(unsigned count) noexcept {
  return count == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1;
}
constexpr std::uint32_t at(unsigned position) noexcept { return std::uint32_t{1} << position; }
}  // namespace

void StoreBuffers::reset(bool weak) noexcept {
  for (Buffer& buffer : buffers_) buffer.count = buffer.made = buffer.left = 0;
  filled_ = 0;
  weak_ = weak;
}

void StoreBuffers::add(unsigned thread, DelayedStore store) noexcept {
  Buffer& buffer = buffers_[thread];
  store.sequence = buffer.made++;
  buffer.stores[buffer.count++] = store;
  filled_ |= only(thread);
}

const DelayedStore* StoreBuffers::newest(unsigned thread, const void* address) const noexcept {
  const Buffer& buffer = buffers_[thread];
  for (unsigned position = buffer.count; position-- > 0;) {
    if (buffer.stores[position].cell.address == address) return &buffer.stores[position];
  }
  return nullptr;
}

bool StoreBuffers::take(Departure& departure, DelayedStore& store) noexcept {
  if (departure.positions == 0) return false;
  const auto position = static_cast<unsigned>(std::countr_zero(departure.positions));
  Buffer& buffer = buffers_[departure.thread];
  store = buffer.stores[position];
  buffer.left = std::max(buffer.left, store.sequence + 1);
  erase(departure.thread, position);
  // The later ones have moved forward by one.
  departure.positions = (departure.positions & ~at(position)) >> 1;
  return true;
}

void StoreBuffers::forget(unsigned thread, const void* address) noexcept {
  for (unsigned position = buffers_[thread].count; position-- > 0;) {
    if (buffers_[thread].stores[position].cell.address == address) erase(thread, position);
  }
}

void StoreBuffers::erase(unsigned thread, unsigned position) noexcept {
  Buffer& buffer = buffers_[thread];
  std::copy(buffer.stores.begin() + position + 1, buffer.stores.begin() + buffer.count,
            buffer.stores.begin() + position);
  if (--buffer.count == 0) filled_ = static_cast<Threads>(filled_ & ~only(thread));
}

Departure StoreBuffers::all_of(unsigned thread) const noexcept {
  return {static_cast<std::uint8_t>(thread), first(buffers_[thread].count)};
}

Departure StoreBuffers::oldest_of(unsigned thread) const noexcept { return {static_cast<std::uint8_t>(thread), 1}; }

Departure StoreBuffers::made_before(unsigned thread, std::uint32_t sequence) const noexcept {
  const Buffer& buffer = buffers_[thread];
  unsigned count = 0;
  while (count < buffer.count && buffer.stores[count].sequence < sequence) ++count;
  return {static_cast<std::uint8_t>(thread), first(count)};
}

Departure StoreBuffers::up_to_newest(unsigned thread, const void* address) const noexcept {
  const DelayedStore* store = newest(thread, address);
  if (store == nullptr) return {static_cast<std::uint8_t>(thread), 0};
  const auto position = static_cast<unsigned>(store - buffers_[thread].stores.data());
  return {static_cast<std::uint8_t>(thread), before(buffers_[thread], position) | at(position)};
}

// The positions that have to leave before this one.
std::uint32_t StoreBuffers::before(const Buffer& buffer, unsigned position) const noexcept {
  if (!weak_ || buffer.stores[position].release) return first(position);
  for (unsigned earlier = position; earlier-- > 0;) {
    if (buffer.stores[earlier].cell.address == buffer.stores[position].cell.address) {
      return before(buffer, earlier) | at(earlier);
    }
  }
  return 0;
}

bool StoreBuffers::holds(unsigned thread, const void* address) const noexcept {
  return newest(thread, address) != nullptr;
}

bool StoreBuffers::share_an_address(unsigned one, unsigned other) const noexcept {
  for (unsigned position = 0; position < buffers_[one].count; ++position) {
    if (holds(other, buffers_[one].stores[position].cell.address)) return true;
  }
  return false;
}

bool StoreBuffers::held_by_another(unsigned thread, const void* address, Threads others) const noexcept {
  for (unsigned other = 0; other < max_threads; ++other) {
    if (other != thread && contains(others, other) && holds(other, address)) return true;
  }
  return false;
}

void StoreBuffers::candidates(unsigned thread, const void* address, Threads drained, Departures& found) const noexcept {
  if (filled_ == 0 || filled_ == only(thread)) return;

  // The buffers concerned: they hold the address, or one that another buffer concerned, or emptied, holds as
  // well.
  Threads concerned = 0;
  for (bool grown = true; grown;) {
    grown = false;
    for (unsigned one = 0; one < max_threads; ++one) {
      if (!contains(filled_, one) || contains(concerned, one)) continue;
      bool matters = address != nullptr && one != thread && holds(one, address);
      for (unsigned other = 0; other < max_threads && !matters; ++other) {
        matters = other != one && contains(concerned | drained, other) && share_an_address(one, other);
      }
      if (!matters) continue;
      concerned |= only(one);
      grown = true;
    }
  }

  const auto involved = static_cast<Threads>(concerned | drained);
  for (unsigned one = 0; one < max_threads; ++one) {
    if (!contains(concerned, one)) continue;
    const Buffer& buffer = buffers_[one];
    std::uint32_t mattering = 0;
    for (unsigned position = 0; position < buffer.count; ++position) {
      const void* target = buffer.stores[position].cell.address;
      const bool matters = (target == address && one != thread) || held_by_another(one, target, involved);
      if (!matters) continue;
      const std::uint32_t earlier = before(buffer, position);
      if ((earlier & mattering) == 0) found.add({static_cast<std::uint8_t>(one), earlier | at(position)});
      mattering |= at(position);
    }
  }
}

void StoreBuffers::all_candidates(Departures& found) const noexcept {
  for (unsigned thread = 0; thread < max_threads; ++thread) {
    const Buffer& buffer = buffers_[thread];
    for (unsigned position = 0; position < buffer.count; ++position) {
      if (before(buffer, position) == 0) found.add({static_cast<std::uint8_t>(thread), at(position)});
    }
  }
}

}  // namespace troupe::interleave
