// OneOf: an actor that behaves as one of several classes, and changes which.
//
//   struct Closed { void on(const Unlock&, Context& context) { context.become(Open{}); } … };
//   using Door = OneOf<Closed, Open>;
//   auto door = system.spawn<Door>();
//
// It starts as the first alternative. A message that an alternative neither handles nor lists does not compile:
// `using deferred = Messages<Knock>;` stashes it until the next change, `using refused = Messages<Knock>;` answers
// it with an error.
#pragma once

#include <new>
#include <type_traits>
#include <utility>
#include <variant>

#include <troupe/core/context.hpp>
#include <troupe/core/delivery.hpp>
#include <troupe/core/life.hpp>
#include <troupe/core/side.hpp>

namespace troupe {

template <class... M>
struct Messages {};

// Incomplete on purpose: the diagnostic names the alternative and the message.
template <class Alternative, class Message>
struct BehaviourLacks;

namespace detail {

template <class M, class List>
inline constexpr bool listed = false;
template <class M, class... Ms>
inline constexpr bool listed<M, Messages<Ms...>> = (std::is_same_v<M, Ms> || ...);

template <class B, class M>
consteval bool defers() {
  if constexpr (requires { typename B::deferred; }) {
    return listed<M, typename B::deferred>;
  } else {
    return false;
  }
}
template <class B, class M>
consteval bool refuses() {
  if constexpr (requires { typename B::refused; }) {
    return listed<M, typename B::refused>;
  } else {
    return false;
  }
}

template <class M>
inline constexpr bool is_lifecycle = listed<M, Messages<Started, Stopping, Restarting, ChildFailed, Terminated>>;

template <class B, class M>
consteval bool answers() {
  if constexpr (Handles<B, M> || defers<B, M>() || refuses<B, M>() || is_lifecycle<M>) {
    return true;
  } else {
    (void)sizeof(BehaviourLacks<B, M>);
    return false;
  }
}

// What `become` chose, until the turn ends.
struct alignas(16) Chosen {
  const void* kind;
  SizeClass size_class;
  void (*destroy)(void* behaviour) noexcept;

  [[nodiscard]] void* behaviour() noexcept { return this + 1; }
};
template <class B>
inline constexpr char behaviour_kind = 0;
void discard_chosen(Worker& worker, Side& side) noexcept;

// The reply type of the first alternative that handles a message; all that do must agree.
template <class M, class... Bs>
struct CommonReply {
  using Type = void;
};
template <class M, class B, class... Bs>
struct CommonReply<M, B, Bs...> {
  static consteval auto pick() {
    if constexpr (Handles<B, M>) {
      return std::type_identity<ReplyOf<B, M>>{};
    } else {
      return std::type_identity<typename CommonReply<M, Bs...>::Type>{};
    }
  }
  using Type = typename decltype(pick())::type;
};

}  // namespace detail

template <class... Behaviours>
class OneOf {
 public:
  template <class M>
    requires((Handles<Behaviours, M> || ...))
  Task<typename detail::CommonReply<M, Behaviours...>::Type> on(const M& message, Context& context) {
    using R = typename detail::CommonReply<M, Behaviours...>::Type;
    static_assert((detail::answers<Behaviours, M>() && ...));
    adopt();
    return std::visit([&](auto& behaviour) { return answer<R>(behaviour, message, context); }, behaviour_);
  }

  // For tests and for those who must look: the alternative of the moment.
  template <class B>
  [[nodiscard]] bool is() const noexcept {
    return std::holds_alternative<B>(behaviour_);
  }
  // For `become`.
  [[nodiscard]] static bool has_behaviour(const char* kind) noexcept {
    return ((kind == &detail::behaviour_kind<Behaviours>) || ...);
  }

 private:
  template <class R, class B, class M>
  static Task<R> answer(B& behaviour, const M& message, Context& context) {
    if constexpr (Handles<B, M>) {
      using T = std::remove_cvref_t<detail::Returned<B, M>>;
      static_assert(std::is_same_v<ReplyOf<B, M>, R>, "the alternatives of a OneOf must give one message one reply");
      static_assert(!detail::is_kept<T>, "an alternative answers with a Task instead of keeping a Reply");
      if constexpr (std::is_void_v<T>) {
        detail::call(behaviour, const_cast<M&>(message), context);
        return {};
      } else {
        return detail::call(behaviour, const_cast<M&>(message), context);
      }
    } else if constexpr (detail::defers<B, M>()) {
      auto stashed = context.stash();
      if (!stashed.has_value()) return std::move(stashed.error());
      return Error{Code::cancelled};  // ignored: the stash owns the message
    } else if constexpr (detail::is_lifecycle<M>) {
      return Task<R>();
    } else {
      return Error{Code::conflict, Text::lasting(name_of<B>())};
    }
  }

  // A behaviour chosen in an earlier turn takes over before the next message, when none of the old one's code runs.
  void adopt() {
    Worker& worker = *current_worker;
    Cell& cell = *worker.running;
    Side* side = cell.side.load(order::relaxed);
    // A reentrant actor may have turns open that run in the old behaviour.
    if (side == nullptr || side->behaviour == nullptr || cell.open_turns > 0) return;
    auto* chosen = static_cast<detail::Chosen*>(side->behaviour);
    (void)(take<Behaviours>(*chosen) || ...);
    detail::discard_chosen(worker, *side);
  }
  template <class B>
  bool take(detail::Chosen& chosen) {
    if (chosen.kind != &detail::behaviour_kind<B>) return false;
    behaviour_.template emplace<B>(std::move(*static_cast<B*>(chosen.behaviour())));
    return true;
  }

  std::variant<Behaviours...> behaviour_;
};

template <class B>
Result<void> Context::become(B behaviour) {
  static_assert(alignof(B) <= 16);
  Worker& worker = *current_worker;
  Cell& cell = *worker.running;
  const auto has_behaviour = cell.type.load(order::relaxed)->actor_class->has_behaviour;
  if (has_behaviour == nullptr || !has_behaviour(&detail::behaviour_kind<B>)) {
    return Error{Code::invalid, "an actor becomes only what its OneOf lists: add the alternative there"};
  }
  Side* side = life::side_of(worker, cell);
  constexpr SizeClass size_class = size_class_of(sizeof(detail::Chosen) + sizeof(B));
  void* memory = side == nullptr ? nullptr : worker.allocate(size_class);
  if (memory == nullptr) return Error{Code::exhausted, "no memory for another behaviour"};
  if (side->behaviour != nullptr) detail::discard_chosen(worker, *side);
  auto* chosen = new (memory) detail::Chosen{.kind = &detail::behaviour_kind<B>,
                                             .size_class = size_class,
                                             .destroy = [](void* old) noexcept { static_cast<B*>(old)->~B(); }};
  static_assert(std::is_nothrow_move_constructible_v<B>, "a behaviour must be movable without an exception");
  new (chosen->behaviour()) B(std::move(behaviour));
  side->behaviour = chosen;
  unstash();
  return {};
}

}  // namespace troupe
