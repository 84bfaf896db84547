// AnyRef: a reference to an actor whose class is not known here.
//
// It can be compared, stored, watched, stopped and suspended, and asked whether it is a Ref<A>.
#pragma once

#include <cstddef>
#include <string_view>

#include <troupe/core/cell.hpp>

namespace troupe {

struct ActorClass;
template <class A>
class Ref;

// Stands for nobody: closed for ever, of a generation that no reference has.
extern Cell nowhere_cell;

class AnyRef {
 public:
  AnyRef() noexcept : cell_{&nowhere_cell, 0} {}
  explicit AnyRef(CellRef cell) noexcept : cell_(cell.cell == nullptr ? CellRef{&nowhere_cell, 0} : cell) {}

  [[nodiscard]] bool names_somebody() const noexcept { return cell_.cell != &nowhere_cell; }
  explicit operator bool() const noexcept { return names_somebody(); }
  friend bool operator==(const AnyRef&, const AnyRef&) = default;

  // All of these may be called from any thread; false: that actor has ended.
  bool stop() const noexcept;
  // Nothing waits any longer: hooks that wait are cut short, children too.
  bool force_stop() const noexcept;
  // Takes nothing new, handles what is queued, then stops.
  bool drain() const noexcept;
  // User messages wait from now on; system messages still flow.
  bool suspend() const noexcept;
  bool resume() const noexcept;
  // The configuration of an actor that gave up starting has changed: it starts again.
  bool start_again() const noexcept;

  // Whether it is a Ref<A>, and as that; an actor that has ended is of no class.
  template <class A>
  [[nodiscard]] bool is() const noexcept;
  template <class A>
  [[nodiscard]] Ref<A> as() const noexcept;

  [[nodiscard]] CellRef cell() const noexcept { return cell_; }

 private:
  CellRef cell_;
};

}  // namespace troupe

template <>
struct std::hash<troupe::AnyRef> {
  std::size_t operator()(const troupe::AnyRef& ref) const noexcept {
    const auto cell = ref.cell();
    return reinterpret_cast<std::size_t>(cell.cell) ^ (static_cast<std::size_t>(cell.generation) * 0x9e3779b97f4a7c15u);
  }
};
