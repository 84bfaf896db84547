// Children: those of the running actor, as a range, and messages to all of them.
//
//   auto report = context.children<Device>().tell(Refresh{});
//   if (report.refused > 0) …
//
// A view of the moment: spawn and stop while iterating only after having copied what is needed.
#pragma once

#include <cstdint>
#include <utility>

#include <troupe/core/context.hpp>
#include <troupe/core/delivery.hpp>
#include <troupe/core/ref.hpp>
#include <troupe/core/side.hpp>

namespace troupe {

// What became of a broadcast, message by message.
struct DeliveryReport {
  std::uint32_t accepted = 0;
  std::uint32_t refused = 0;  // full, stopped, not started, dropped
  [[nodiscard]] std::uint32_t offered() const noexcept { return accepted + refused; }
};

template <class A>
class Children {
 public:
  using Item = std::conditional_t<std::is_void_v<A>, AnyRef, Ref<A>>;

  class Iterator {
   public:
    using value_type = Item;
    using difference_type = std::ptrdiff_t;

    Iterator() noexcept = default;
    explicit Iterator(Cell* cell) noexcept : cell_(cell) { skip(); }
    [[nodiscard]] Item operator*() const noexcept {
      return Item(CellRef{cell_, cell_->generation.load(order::relaxed)});
    }
    Iterator& operator++() noexcept {
      cell_ = cell_->next_sibling;
      skip();
      return *this;
    }
    Iterator operator++(int) noexcept {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    void skip() noexcept {
      if constexpr (!std::is_void_v<A>) {
        while (cell_ != nullptr && cell_->type.load(order::relaxed)->actor_class != &detail::class_of<A>) {
          cell_ = cell_->next_sibling;
        }
      }
    }
    Cell* cell_ = nullptr;
  };

  explicit Children(const Cell& parent) noexcept {
    const Side* side = parent.side.load(order::relaxed);
    first_ = side == nullptr ? nullptr : side->first_child;
  }
  [[nodiscard]] Iterator begin() const noexcept { return Iterator(first_); }
  [[nodiscard]] Iterator end() const noexcept { return Iterator(); }
  [[nodiscard]] bool empty() const noexcept { return begin() == end(); }
  [[nodiscard]] std::uint32_t size() const noexcept {
    std::uint32_t count = 0;
    for (Iterator at = begin(); at != end(); ++at) ++count;
    return count;
  }

  // A copy to each of them, or to those the predicate picks.
  template <class M, class Pick>
    requires(!std::is_void_v<A>)
  DeliveryReport tell(const M& message, Pick pick) const {
    DeliveryReport report;
    for (Item child : *this) {
      if (!pick(child)) continue;
      ++(child.tell(message).accepted() ? report.accepted : report.refused);
    }
    return report;
  }
  template <class M>
    requires(!std::is_void_v<A>)
  DeliveryReport tell(const M& message) const {
    return tell(message, [](const Item&) { return true; });
  }

 private:
  Cell* first_;
};

inline Children<void> Context::children() const noexcept { return Children<void>(*current_worker->running); }
template <class A>
Children<A> Context::children() const noexcept {
  return Children<A>(*current_worker->running);
}

}  // namespace troupe
