// The exception barrier: a user's exception ends at the handler boundary and becomes an Error.
//
// The library throws nothing. On targets without exceptions the barrier costs nothing and does nothing.
#pragma once

#include <utility>

#include <troupe/core/error.hpp>

namespace troupe::detail {

#if defined(__cpp_exceptions)
// The exception being handled, as an Error; call it inside a catch clause.
[[nodiscard, gnu::cold]] Error caught() noexcept;
#endif

}  // namespace troupe::detail
