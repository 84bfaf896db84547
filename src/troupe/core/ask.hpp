// Ask: a message that wants a reply. Send: a message that waits for room.
//
// Both own a built request until they are awaited, in a handler by co_await or outside by `system.wait`; an ask that
// is never awaited sends nothing. Every ask has a deadline. A cycle of asks inside one system is refused at once:
// the asker publishes its edge, walks the edges from its target on, and only then sends. Reentrant actors and those who
// wait for a kept reply have no edge; there the deadline ends a cycle.
#pragma once

#include <algorithm>
#include <chrono>
#include <coroutine>
#include <utility>

#include <troupe/core/reply.hpp>
#include <troupe/core/task.hpp>

namespace troupe {

namespace asks {

// A request that has been built but not sent.
struct Request {
  Envelope* envelope = nullptr;
  CellRef target;
  Duration within{};          // zero: the system's default
  Code refused{};             // why it could not even be built, where envelope is null
  bool for_room = false;      // a send: it waits for room, not for a reply
  Instant due = end_of_time;  // once it was sent from outside: when its time is over
};

enum class Sent : std::uint8_t {
  waits,    // the answer will come
  done,     // a send that found room
  refused,  // see the error; the request stays with its owner
};

// A send that finds room needs no await and no waiter. False: nothing was sent.
[[nodiscard]] bool send_now(Request& request) noexcept;
// Sends a request of the running actor.
[[nodiscard]] Sent send(Worker& worker, Request& request, Awaiter& awaiter, Error& error) noexcept;
// The same for a thread: when it waits, the waiter is settled exactly once.
[[nodiscard]] Sent send_outside(Request& request, Waiter& waiter, Error& error) noexcept;
void discard(Request& request) noexcept;

[[nodiscard]] Duration time_of(const Request& request, const Worker& worker) noexcept;

}  // namespace asks

// R is the reply; a send that only waits for room is awaited like an ask for void.
template <class R>
class [[nodiscard("awaited by co_await or system.wait; otherwise nothing is sent")]] Ask {
 public:
  using Value = R;

  explicit Ask(asks::Request request) noexcept : request_(request) {}
  Ask(Ask&& other) noexcept : request_(std::exchange(other.request_, {})) {}
  Ask& operator=(Ask&&) = delete;
  ~Ask() { asks::discard(request_); }

  [[nodiscard]] Ask within(Duration duration) && noexcept {
    request_.within = std::max(duration, Duration(1));  // no time left is no reason to wait for the default
    return std::move(*this);
  }

  // For whoever sends it; see runtime/wait.hpp.
  [[nodiscard]] asks::Request& request() noexcept { return request_; }

  template <bool Unwrap>
  class Await : ValueAwaiter<R> {
   public:
    explicit Await(Ask& ask) noexcept : request_(ask.request_) {}
    [[nodiscard]] bool await_ready() noexcept {
      if constexpr (std::is_void_v<R>) {
        if (!request_.for_room || !asks::send_now(request_)) return false;
        this->value = {};
        return true;
      } else {
        return false;
      }
    }
    template <class P>
    bool await_suspend(std::coroutine_handle<P> waiting) {
      this->waiting = &waiting.promise();
      this->settle = [](Awaiter* self, Error* error) {
        auto* awaiter = static_cast<Await*>(self);
        if (error != nullptr) awaiter->value = std::unexpected<Error>(std::move(*error));
        if (Unwrap && !awaiter->value.has_value()) {
          // What failed was there, not here: unwrapped, it ends this turn but does not fail this actor.
          static_cast<P*>(awaiter->waiting)->fail(std::move(awaiter->value.error()).with(Severity::refusal));
        }
      };
      Error error{Code::cancelled};
      const asks::Sent sent = asks::send(*current_worker, request_, *this, error);
      if (sent == asks::Sent::waits) [[likely]]
        return true;
      if (sent == asks::Sent::done) {
        if constexpr (std::is_void_v<R>) this->value = {};
        return false;
      }
      if constexpr (Unwrap) {
        waiting.promise().fail(std::move(error));
        return true;
      } else {
        this->value = std::unexpected<Error>(std::move(error));
        return false;
      }
    }
    auto await_resume() {
      if constexpr (!Unwrap) {
        return std::move(this->value);
      } else if constexpr (!std::is_void_v<R>) {
        return std::move(*this->value);
      }
    }

   private:
    asks::Request& request_;
  };

 private:
  asks::Request request_;
};

template <class R>
struct Awaitable<Ask<R>> {
  template <bool Unwrap>
  using Await = typename Ask<R>::template Await<Unwrap>;
};

}  // namespace troupe
