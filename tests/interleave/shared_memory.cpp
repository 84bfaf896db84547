#include <tests/interleave/shared_memory.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace troupe::interleave {

std::uint64_t read_bytes(model::Cell cell) noexcept {
  std::uint64_t value = 0;
  std::memcpy(&value, cell.address, cell.bytes);
  return value;
}

void write_bytes(model::Cell cell, std::uint64_t value) noexcept { std::memcpy(cell.address, &value, cell.bytes); }

std::uint64_t updated(model::Update kind, std::uint64_t value, std::uint64_t operand) noexcept {
  switch (kind) {
    case model::Update::exchange:
      return operand;
    case model::Update::add:
      return value + operand;
    case model::Update::subtract:
      return value - operand;
    case model::Update::set_bits:
      return value | operand;
    case model::Update::keep_bits:
      return value & operand;
  }
  return value;
}

void SharedMemory::reset(bool weak) noexcept {
  buffers_.reset(weak);
  poisoned_.clear();
  ++execution_;
  used_ = 0;
  history_ = 0;
  changes_ = 0;
  corrupted_ = false;
}

std::uint64_t SharedMemory::read(model::Cell cell, std::uint64_t& history) noexcept {
  history = mix(history, history_of(cell.address));
  return read_bytes(cell);
}

void SharedMemory::write(model::Cell cell, std::uint64_t value, std::uint64_t& history) {
  touch(cell.address, history);
  put(cell, value);
}

void SharedMemory::touch(const void* address, std::uint64_t& history) {
  std::uint64_t& of_variable = history_of(address);
  history = mix(mix(history, reinterpret_cast<std::uintptr_t>(address)), of_variable);
  replace_history(address, of_variable, history);
}

void SharedMemory::delay(unsigned thread, model::Cell cell, std::uint64_t value, bool release, std::uint64_t& history) {
  if (buffers_.full(thread)) depart(buffers_.oldest_of(thread));
  history = mix(history, reinterpret_cast<std::uintptr_t>(cell.address));
  buffers_.add(thread, {.cell = cell, .value = value, .history = history, .release = release});
}

void SharedMemory::depart(Departure departure) {
  DelayedStore store;
  while (buffers_.take(departure, store)) {
    timeline_.add(
        {.operation = {.kind = Kind::flush, .cell = store.cell, .operand = store.value}, .thread = departure.thread});
    if (poisoned(store.cell.address)) {
      corrupted_ = true;
      return;
    }
    std::uint64_t& of_variable = history_of(store.cell.address);
    replace_history(store.cell.address, of_variable, mix(of_variable, store.history));
    put(store.cell, store.value);
  }
}

void SharedMemory::unpoison(const void* address, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(address);
  const auto* const end = begin + bytes;
  std::vector<Region> kept;
  for (const Region& region : poisoned_) {
    if (region.begin < begin) kept.push_back({region.begin, std::min(region.end, begin)});
    if (region.end > end) kept.push_back({std::max(region.begin, end), region.end});
  }
  poisoned_ = std::move(kept);
}

bool SharedMemory::poisoned(const void* address) const noexcept {
  const auto* const byte = static_cast<const std::byte*>(address);
  return std::ranges::any_of(poisoned_,
                             [&](const Region& region) { return byte >= region.begin && byte < region.end; });
}

std::uint64_t& SharedMemory::history_of(const void* address) {
  const std::size_t mask = variables_.size() - 1;
  for (std::size_t place = mix(0, reinterpret_cast<std::uintptr_t>(address)) & mask;; place = (place + 1) & mask) {
    Variable& variable = variables_[place];
    if (variable.execution != execution_) {
      if (used_ * 2 > mask) {
        grow();
        return history_of(address);
      }
      ++used_;
      variable = {address, 0, execution_};
    }
    if (variable.address == address) return variable.history;
  }
}

void SharedMemory::replace_history(const void* address, std::uint64_t& of_variable, std::uint64_t next) noexcept {
  const std::uint64_t base = reinterpret_cast<std::uintptr_t>(address);
  // A sum, because the order of operations on different variables must not show.
  history_ += mix(base, next) - (of_variable == 0 ? 0 : mix(base, of_variable));
  of_variable = next;
}

void SharedMemory::put(model::Cell cell, std::uint64_t value) noexcept {
  const std::uint64_t old = read_bytes(cell);
  write_bytes(cell, value);
  if (read_bytes(cell) != old) ++changes_;
}

void SharedMemory::grow() {
  std::vector<Variable> old(variables_.size() * 2);
  old.swap(variables_);
  used_ = 0;
  for (const Variable& variable : old) {
    if (variable.execution == execution_) history_of(variable.address) = variable.history;
  }
}

}  // namespace troupe::interleave
