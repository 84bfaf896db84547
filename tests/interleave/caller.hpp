// Caller: a thread outside of all actors that waits for an answer, as `system.wait` does. One for each ask.
#pragma once

#include <troupe/core/ask.hpp>
#include <troupe/runtime/wait.hpp>

namespace troupe::interleave {

template <class R>
class Caller {
 public:
  // The scenario's memory is not the pending answer's to delete: the third owner never lets go.
  Caller() { pending_.owners.store(3); }

  // Sleeps until the answer is there.
  [[nodiscard]] Result<R> wait(Ask<R> ask) {
    Error error{Code::cancelled};
    const asks::Sent sent = asks::send_outside(ask.request(), pending_, error);
    if (sent == asks::Sent::refused) return std::unexpected<Error>(std::move(error));
    if (sent == asks::Sent::done) {
      if constexpr (std::is_void_v<R>) return {};
    }
    while (pending_.settled.load(order::acquire) == 0) futex::wait(pending_.settled, 0);
    return std::move(pending_.value);
  }

 private:
  detail::Pending<R> pending_;
};

}  // namespace troupe::interleave
