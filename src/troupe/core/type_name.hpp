// Names of C++ types as text, at compile time and without RTTI.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>

namespace troupe {

namespace detail {

template <class T>
consteval std::string_view signature() {
  return __PRETTY_FUNCTION__;
}

// What the compiler writes before and after the type is the same for all types, so one known type measures it.
template <class T>
consteval std::string_view spelled() {
  constexpr std::string_view probe = signature<double>();
  constexpr std::size_t before = probe.find("double");
  constexpr std::size_t behind = probe.size() - before - std::string_view("double").size();
  constexpr std::string_view whole = signature<T>();
  return whole.substr(before, whole.size() - before - behind);
}

// The last part of a qualified name: `shop::Cart` is `Cart`; template arguments stay as they are.
consteval std::string_view unqualified(std::string_view name) {
  std::size_t start = 0;
  for (std::size_t i = 0; i + 1 < name.size() && name[i] != '<'; ++i) {
    if (name[i] == ':' && name[i + 1] == ':') start = i + 2;
  }
  return name.substr(start);
}

template <class T>
inline constexpr auto stored_name = [] {
  constexpr std::string_view name = unqualified(spelled<T>());
  std::array<char, name.size() + 1> stored{};
  for (std::size_t i = 0; i < name.size(); ++i) stored[i] = name[i];
  return stored;
}();

// `RuleChain` becomes `rule-chain`, `HTTPServer` `http-server`; what an address type cannot hold becomes `-`.
template <class T>
inline constexpr auto stored_kebab = [] {
  constexpr std::string_view name = unqualified(spelled<T>());
  std::array<char, 2 * name.size() + 2> stored{};
  std::size_t size = 0;
  auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (upper(c)) {
      const bool word = i > 0 && (plain(name[i - 1]) || (i + 1 < name.size() && plain(name[i + 1])));
      if (word && size > 0 && stored[size - 1] != '-') stored[size++] = '-';
      stored[size++] = static_cast<char>(c - 'A' + 'a');
    } else if (plain(c)) {
      stored[size++] = c;
    } else if (size > 0 && stored[size - 1] != '-') {
      stored[size++] = '-';
    }
  }
  while (size > 0 && stored[size - 1] == '-') stored[--size] = '\0';
  return stored;
}();

}  // namespace detail

template <class T>
concept NamesItsType = requires {
  { T::type } -> std::convertible_to<std::string_view>;
};

// The unqualified name of a type, zero-terminated: for events, errors and figures.
template <class T>
[[nodiscard]] constexpr const char* name_of() noexcept {
  return detail::stored_name<T>.data();
}

// The type part of an actor's address: `T::type` where the class names it, else its name in kebab case.
template <class T>
[[nodiscard]] constexpr std::string_view address_type_of() noexcept {
  if constexpr (NamesItsType<T>) {
    return T::type;
  } else {
    return detail::stored_kebab<T>.data();
  }
}

}  // namespace troupe
