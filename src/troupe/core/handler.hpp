// Which messages a class handles, and what its handlers return: all at compile time.
#pragma once

#include <type_traits>
#include <utility>

#include <troupe/core/reply.hpp>
#include <troupe/core/task.hpp>

namespace troupe {

class Context;

namespace detail {

template <class A, class M>
concept TakesMessage = requires(A& actor, M& message) { actor.on(std::as_const(message)); };
template <class A, class M>
concept TakesMessageAndContext =
    requires(A& actor, M& message, Context& context) { actor.on(std::as_const(message), context); };
// `on(M&&)` takes the message over; nothing redelivers it.
template <class A, class M>
concept ConsumesMessage = requires(A& actor, M& message) { actor.on(std::move(message)); };
template <class A, class M>
concept ConsumesMessageAndContext =
    requires(A& actor, M& message, Context& context) { actor.on(std::move(message), context); };

template <class A, class M>
inline constexpr bool takes_context = TakesMessageAndContext<A, M> || ConsumesMessageAndContext<A, M>;

template <class A, class M>
inline constexpr bool consumes = !TakesMessage<A, M> && !TakesMessageAndContext<A, M>;

template <class A, class M>
decltype(auto) call(A& actor, M& message, Context& context) {
  if constexpr (ConsumesMessageAndContext<A, M>) {
    return actor.on(std::move(message), context);
  } else if constexpr (TakesMessageAndContext<A, M>) {
    return actor.on(std::as_const(message), context);
  } else if constexpr (ConsumesMessage<A, M>) {
    return actor.on(std::move(message));
  } else {
    return actor.on(std::as_const(message));
  }
}

template <class T>
struct ReplyType {
  using Type = T;
};
template <class T>
struct ReplyType<Result<T>> {
  using Type = T;
};
template <class T>
struct ReplyType<Task<T>> {
  using Type = T;
};
template <class T>
struct ReplyType<Kept<T>> {
  using Type = T;
};

template <class T>
inline constexpr bool is_task = false;
template <class T>
inline constexpr bool is_task<Task<T>> = true;
template <class T>
inline constexpr bool is_kept = false;
template <class T>
inline constexpr bool is_kept<Kept<T>> = true;

}  // namespace detail

template <class A, class M>
concept Handles = detail::TakesMessage<A, M> || detail::TakesMessageAndContext<A, M> || detail::ConsumesMessage<A, M> ||
                  detail::ConsumesMessageAndContext<A, M>;

// Incomplete on purpose: its name, with actor and message, is the compiler's diagnostic.
template <class Actor, class Message>
struct ActorDoesNotHandle;
template <class Actor, class Message, class Expected, class Actual>
struct ReplyHasAnotherType;

namespace detail {

template <class A, class M>
using Returned = decltype(call(std::declval<A&>(), std::declval<M&>(), std::declval<Context&>()));

}  // namespace detail

// What an ask of M yields.
template <class A, class M>
using ReplyOf = typename detail::ReplyType<std::remove_cvref_t<detail::Returned<A, M>>>::Type;

}  // namespace troupe
