// run: a system as a function's scope.
//
//   int answer = troupe::run([](troupe::System& system) { … return 42; });
//
// A reference cannot leave it: returning one, or a Result, optional, tuple, pair or range of one, does not compile.
#pragma once

#include <concepts>
#include <expected>
#include <optional>
#include <ranges>
#include <tuple>
#include <utility>
#include <variant>

#include <troupe/runtime/system.hpp>

namespace troupe {

// Incomplete on purpose: its name is the compiler's diagnostic.
template <class Returned>
struct ReferenceLeavesItsSystem;

namespace detail {

template <class T>
struct HoldsReference : std::false_type {};

template <class T>
consteval bool holds_reference();

template <class A>
struct HoldsReference<Ref<A>> : std::true_type {};
template <>
struct HoldsReference<AnyRef> : std::true_type {};
template <class T, class E>
struct HoldsReference<std::expected<T, E>> : std::bool_constant<holds_reference<T>()> {};
template <class T>
struct HoldsReference<std::optional<T>> : std::bool_constant<holds_reference<T>()> {};
template <class... T>
struct HoldsReference<std::tuple<T...>> : std::bool_constant<(holds_reference<T>() || ...)> {};
template <class... T>
struct HoldsReference<std::variant<T...>> : std::bool_constant<(holds_reference<T>() || ...)> {};
template <class T, class U>
struct HoldsReference<std::pair<T, U>> : std::bool_constant<holds_reference<T>() || holds_reference<U>()> {};

template <class T>
consteval bool holds_reference() {
  using Plain = std::remove_cvref_t<T>;
  if constexpr (std::is_void_v<Plain>) {
    return false;
  } else if constexpr (std::ranges::range<Plain>) {
    using Item = std::ranges::range_value_t<Plain>;
    if constexpr (std::same_as<Item, Plain>) {
      return false;
    } else {
      return holds_reference<Item>();
    }
  } else {
    return HoldsReference<Plain>::value;
  }
}

}  // namespace detail

template <class Scope>
  requires std::invocable<Scope, System&>
auto run(SystemOptions options, Scope&& scope) {
  using Returned = std::remove_cvref_t<std::invoke_result_t<Scope, System&>>;
  if constexpr (detail::holds_reference<Returned>()) {
    (void)sizeof(ReferenceLeavesItsSystem<Returned>);
  } else {
    System system(std::move(options));
    return std::forward<Scope>(scope)(system);
  }
}
template <class Scope>
  requires std::invocable<Scope, System&>
auto run(Scope&& scope) {
  return run(SystemOptions{}, std::forward<Scope>(scope));
}

}  // namespace troupe
