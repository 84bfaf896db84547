// Protocol: what a caller may see of an actor, without seeing its class.
//
//   Ref<Protocol<int(Get), void(Add)>> counter = system.spawn<Counter>();
//
// A reference to a protocol is four words: cell, generation, a table of delivery functions of the class it came from,
// and a map of four bits a message into that table. The map composes, so a protocol narrows to a part of itself
// although the class is long forgotten.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <troupe/core/ref.hpp>

namespace troupe {

template <class... Signatures>
struct Protocol;

namespace detail {

template <class Signature>
struct SignatureParts;
template <class R, class M>
struct SignatureParts<R(M)> {
  using Reply = R;
  using Message = M;
};
template <class Signature>
using MessageIn = typename SignatureParts<Signature>::Message;
template <class Signature>
using ReplyIn = typename SignatureParts<Signature>::Reply;

template <class M, class... Signatures>
consteval unsigned index_in() {
  unsigned index = 0;
  unsigned found = sizeof...(Signatures);
  ((std::is_same_v<MessageIn<Signatures>, M> ? void(found = found < index ? found : index) : void(), ++index), ...);
  return found;
}
template <class M, class... Signatures>
struct ReplyAmong;
template <class M, class First, class... Rest>
struct ReplyAmong<M, First, Rest...> {
  using Type = typename std::conditional_t<std::is_same_v<MessageIn<First>, M>, SignatureParts<First>,
                                           ReplyAmong<M, Rest...>>::Reply;
  using Reply = Type;
};
template <class M>
struct ReplyAmong<M> {
  using Reply = void;
};

template <class A, class... Signatures>
inline constexpr Deliver protocol_table[] = {deliver<A, MessageIn<Signatures>>...};

// Names what is missing where an actor does not fit a protocol.
template <class A, class Signature>
consteval bool fits() {
  if constexpr (!Handles<A, MessageIn<Signature>>) {
    (void)sizeof(ActorDoesNotHandle<A, MessageIn<Signature>>);
    return false;
  } else if constexpr (!std::is_same_v<ReplyOf<A, MessageIn<Signature>>, ReplyIn<Signature>>) {
    (void)sizeof(ReplyHasAnotherType<A, MessageIn<Signature>, ReplyIn<Signature>, ReplyOf<A, MessageIn<Signature>>>);
    return false;
  } else {
    return true;
  }
}

}  // namespace detail

template <class... Signatures>
class Ref<Protocol<Signatures...>> {
  static_assert(sizeof...(Signatures) <= 16, "a protocol has at most 16 messages: split it");

 public:
  Ref() noexcept : cell_{&nowhere_cell, 0} {}
  template <class A>
  Ref(const Ref<A>& actor) noexcept : cell_(actor.cell()), table_(detail::protocol_table<A, Signatures...>) {
    static_assert((detail::fits<A, Signatures>() && ...));
  }
  template <class... Wider>
    requires(sizeof...(Wider) >= sizeof...(Signatures))
  Ref(const Ref<Protocol<Wider...>>& wider) noexcept : cell_(wider.cell_), table_(wider.table_), map_(0) {
    static_assert(((detail::index_in<detail::MessageIn<Signatures>, Wider...>() < sizeof...(Wider)) && ...),
                  "a protocol narrows to a part of itself");
    static_assert((std::is_same_v<detail::ReplyIn<Signatures>,
                                  typename detail::ReplyAmong<detail::MessageIn<Signatures>, Wider...>::Reply> &&
                   ...),
                  "a narrower protocol keeps the reply of each message");
    static_assert((std::is_same_v<detail::ReplyIn<Signatures>,
                                  typename detail::ReplyAmong<detail::MessageIn<Signatures>, Wider...>::Reply> &&
                   ...),
                  "a protocol narrows to a part of itself: the reply types differ");
    unsigned index = 0;
    ((map_ |= (wider.map_ >> (4 * detail::index_in<detail::MessageIn<Signatures>, Wider...>()) & 15) << (4 * index++)),
     ...);
  }
  // For adapters: a table of their own, in the order of the signatures.
  Ref(CellRef cell, const Deliver* table) noexcept : cell_(cell), table_(table) {}
  operator AnyRef() const noexcept { return AnyRef(cell_); }

  template <class M, class... Fields>
  Receipt tell(Fields&&... fields) const {
    return detail::tell<M>(cell_, deliver<M>(), Lane::normal, nullptr, std::forward<Fields>(fields)...);
  }
  template <class M, class... Fields>
  Receipt tell_high(Fields&&... fields) const {
    return detail::tell<M>(cell_, deliver<M>(), Lane::high, nullptr, std::forward<Fields>(fields)...);
  }
  template <class M, class... Fields>
  auto ask(Fields&&... fields) const {
    using R = typename detail::ReplyAmong<M, Signatures...>::Reply;
    return detail::ask<M, R>(cell_, deliver<M>(), false, std::forward<Fields>(fields)...);
  }
  template <class M, class... Fields>
  Ask<void> send(Fields&&... fields) const {
    return detail::ask<M, void>(cell_, deliver<M>(), true, std::forward<Fields>(fields)...);
  }

  explicit operator bool() const noexcept { return cell_.cell != &nowhere_cell; }
  [[nodiscard]] CellRef cell() const noexcept { return cell_; }
  friend bool operator==(const Ref& left, const Ref& right) noexcept { return left.cell_ == right.cell_; }

 private:
  template <class>
  friend class Ref;

  template <class M>
  [[nodiscard]] Deliver deliver() const noexcept {
    constexpr unsigned index = detail::index_in<M, Signatures...>();
    if constexpr (index == sizeof...(Signatures)) {
      (void)sizeof(ActorDoesNotHandle<Protocol<Signatures...>, M>);
      return nullptr;
    } else {
      return table_[map_ >> (4 * index) & 15];
    }
  }

  CellRef cell_;
  const Deliver* table_ = nullptr;
  std::uint64_t map_ = 0xfedcba9876543210u;
};

}  // namespace troupe
