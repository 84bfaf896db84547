// CheckedAtomic: what troupe::Atomic is in a build for the checker.
//
// It has the size and the members of std::atomic that lock-free code uses, and hands every access to the
// checker, which keeps what it knows about the variable (delayed stores, history) elsewhere, by address.
// Outside of a running exploration, in set-up, final check and teardown, it is a plain variable.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace troupe::interleave {

// Lets the other threads go on before this one looks again; see checker.hpp.
void yield() noexcept;

namespace model {

static_assert(std::endian::native == std::endian::little, "values travel as the low bytes of 64 bits");

enum class Update : std::uint8_t { exchange, add, subtract, set_bits, keep_bits };

// One variable as the checker sees it.
struct Cell {
  void* address;
  unsigned bytes;
};

std::uint64_t load(Cell cell, std::memory_order order) noexcept;
void store(Cell cell, std::uint64_t value, std::memory_order order) noexcept;
std::uint64_t update(Cell cell, Update kind, std::uint64_t operand, std::memory_order order) noexcept;
bool compare_exchange(Cell cell, std::uint64_t& expected, std::uint64_t desired, bool weak,
                      std::memory_order order) noexcept;
// The variable begins or ends its life: stores that this thread still holds back must not reach it any more.
void forget(const void* address) noexcept;

template <class T>
inline constexpr unsigned bytes = sizeof(T);

template <class T>
std::uint64_t to_bits(T value) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, bytes<T>);
  return bits;
}

template <class T>
T from_bits(std::uint64_t bits) noexcept {
  T value;
  std::memcpy(&value, &bits, bytes<T>);
  return value;
}

}  // namespace model

template <class T>
class alignas(model::bytes<T>) CheckedAtomic {
  static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>);
  static_assert(model::bytes<T> <= sizeof(std::uint64_t) && std::has_single_bit(model::bytes<T>));

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;

  constexpr CheckedAtomic() noexcept : CheckedAtomic(T{}) {}
  constexpr CheckedAtomic(T value) noexcept : value_(value) {  // NOLINT(google-explicit-constructor): as std::atomic
    if (!std::is_constant_evaluated()) model::forget(&value_);
  }
  CheckedAtomic(const CheckedAtomic&) = delete;
  CheckedAtomic& operator=(const CheckedAtomic&) = delete;
  constexpr ~CheckedAtomic() {
    if (!std::is_constant_evaluated()) model::forget(&value_);
  }

  T load(std::memory_order order = std::memory_order_seq_cst) const noexcept {
    return model::from_bits<T>(model::load(cell(), order));
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst) noexcept {
    model::store(cell(), model::to_bits(value), order);
  }
  T exchange(T value, std::memory_order order = std::memory_order_seq_cst) noexcept {
    return update(model::Update::exchange, value, order);
  }

  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order /*failure*/) noexcept {
    return compare_exchange(expected, desired, false, success);
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order order = std::memory_order_seq_cst) noexcept {
    return compare_exchange(expected, desired, false, order);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order /*failure*/) noexcept {
    return compare_exchange(expected, desired, true, success);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order order = std::memory_order_seq_cst) noexcept {
    return compare_exchange(expected, desired, true, order);
  }

  T fetch_add(T operand, std::memory_order order = std::memory_order_seq_cst) noexcept
    requires std::is_integral_v<T>
  {
    return update(model::Update::add, operand, order);
  }
  T fetch_sub(T operand, std::memory_order order = std::memory_order_seq_cst) noexcept
    requires std::is_integral_v<T>
  {
    return update(model::Update::subtract, operand, order);
  }
  T fetch_or(T operand, std::memory_order order = std::memory_order_seq_cst) noexcept
    requires std::is_integral_v<T>
  {
    return update(model::Update::set_bits, operand, order);
  }
  T fetch_and(T operand, std::memory_order order = std::memory_order_seq_cst) noexcept
    requires std::is_integral_v<T>
  {
    return update(model::Update::keep_bits, operand, order);
  }

  operator T() const noexcept { return load(); }  // NOLINT(google-explicit-constructor): as std::atomic
  T operator=(T value) noexcept {                 // NOLINT(misc-unconventional-assign-operator): as std::atomic
    store(value);
    return value;
  }

 private:
  // The checker reads through the same pointer that it writes through.
  model::Cell cell() const noexcept { return {const_cast<T*>(&value_), model::bytes<T>}; }

  T update(model::Update kind, T operand, std::memory_order order) noexcept {
    return model::from_bits<T>(model::update(cell(), kind, model::to_bits(operand), order));
  }

  bool compare_exchange(T& expected, T desired, bool weak, std::memory_order order) noexcept {
    std::uint64_t bits = model::to_bits(expected);
    const bool swapped = model::compare_exchange(cell(), bits, model::to_bits(desired), weak, order);
    if (!swapped) expected = model::from_bits<T>(bits);
    return swapped;
  }

  T value_;
};

}  // namespace troupe::interleave
