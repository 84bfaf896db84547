// Future: the answer to an ask from outside, and how a thread waits for it.
#pragma once

#include <utility>

#include <troupe/core/ask.hpp>
#include <troupe/runtime/executor.hpp>
#include <troupe/runtime/futex.hpp>

namespace troupe {

namespace detail {

// Shared by the thread that waits and the actor that answers; whoever lets go last frees it. So a thread that gave up
// waiting leaves nothing behind that a late answer could hit.
class PendingBase : public Waiter {
 public:
  Atomic<std::uint32_t> settled{0};
  Atomic<std::uint32_t> owners{2};
};

template <class R>
class Pending final : public PendingBase {
 public:
  Pending() noexcept {
    settle = [](Waiter* self, Envelope* envelope) {
      auto* pending = static_cast<Pending*>(self);
      auto* result = static_cast<Result<R>*>(envelope->payload());
      pending->value = std::move(*result);
      result->~Result<R>();
      memory_here()->free(envelope, envelope->size_class);
      pending->settled.store(1, order::release);
      futex::wake_one(pending->settled);
      let_go(pending);
    };
  }
  static void let_go(Pending* pending) noexcept {
    if (pending->owners.fetch_sub(1, order::acq_rel) == 1) delete pending;
  }

  Result<R> value{std::unexpect, Code::cancelled};
};

[[nodiscard]] Error nobody_answered(const char* actor, const char* message) noexcept;
[[nodiscard]] Error waits_on_a_worker() noexcept;
[[nodiscard]] Error answer_is_taken() noexcept;

}  // namespace detail

// Dropped without `get`, the answer is forgotten.
template <class R>
class [[nodiscard]] Future {
 public:
  Future(SystemExecutor& executor, Ask<R>&& ask) : executor_(&executor), pending_(new detail::Pending<R>) {
    asks::Request& request = ask.request();
    if (request.envelope != nullptr) {
      message_ = request.envelope->deliver(Op::message_name, nullptr, nullptr, *current_worker);
      actor_ = request.envelope->deliver(Op::actor_name, nullptr, nullptr, *current_worker);
    }
    Error error{Code::cancelled};
    const asks::Sent sent = asks::send_outside(request, *pending_, error);
    if (sent != asks::Sent::waits) {
      // Nothing will come: the answer is here, and the actor's share of the ownership is ours.
      if (sent == asks::Sent::refused) pending_->value = std::unexpected<Error>(std::move(error));
      if constexpr (std::is_void_v<R>) {
        if (sent == asks::Sent::done) pending_->value = {};
      }
      pending_->settled.store(1, order::relaxed);
      detail::Pending<R>::let_go(pending_);
    } else {
      until_ = request.due;
    }
  }
  Future(Future&& other) noexcept
      : executor_(other.executor_),
        pending_(std::exchange(other.pending_, nullptr)),
        until_(other.until_),
        actor_(other.actor_),
        message_(other.message_) {}
  Future& operator=(Future&&) = delete;
  ~Future() {
    if (pending_ != nullptr) detail::Pending<R>::let_go(pending_);
  }

  [[nodiscard]] bool ready() const noexcept {
    return pending_ == nullptr || pending_->settled.load(order::acquire) != 0;
  }

  // Waits until the answer is there or the ask's deadline has passed. Not on a worker's thread. An answer can be taken
  // once.
  [[nodiscard]] Result<R> get() {
    if (pending_ == nullptr) return detail::answer_is_taken();
    if (!ready() && current_worker->running != nullptr) return detail::waits_on_a_worker();
    if (!executor_->wait(pending_->settled, until_)) return detail::nobody_answered(actor_, message_);
    Result<R> answer = std::move(pending_->value);
    detail::Pending<R>::let_go(std::exchange(pending_, nullptr));
    return answer;
  }

 private:
  SystemExecutor* executor_;
  detail::Pending<R>* pending_;
  Instant until_ = end_of_time;
  const char* actor_ = "nobody";
  const char* message_ = "";
};

}  // namespace troupe
