// Task: a handler, or a part of one, that may wait.
//
// `co_await` on a task, an ask, a completion or a Result unwraps it or fails the current task with its error, without
// exceptions; `co_await as_result(x)` yields the Result instead. A Task can also be made from a value, an Error or
// a Result without a frame. Frames come from the worker's pools; without room the task is Error{Code::exhausted}.
//
// A failed await destroys nothing: it moves the error into the promise and marks it finished. Frames own their
// children, so whoever resumed the root destroys the chain.
#pragma once

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <troupe/core/awaiter.hpp>
#include <troupe/core/guard.hpp>
#include <troupe/core/worker.hpp>

namespace troupe {

template <class R>
class Task;

// What can be awaited specialises this: `template <bool Unwrap> using Await`. See ask.hpp, completion.hpp.
template <class T>
struct Awaitable;

template <class X>
struct AsResult {
  X awaited;
};
template <class X>
[[nodiscard]] AsResult<std::remove_cvref_t<X>> as_result(X&& awaited)
  requires(!std::is_lvalue_reference_v<X>)
{
  return {std::forward<X>(awaited)};
}
template <class X>
[[nodiscard]] AsResult<X&> as_result(X& awaited) {
  return {awaited};
}

namespace detail {

template <class R>
class ResultSlot {
 public:
  template <class U>
  void return_value(U&& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<U>, Error>) {
      result = std::unexpected<Error>(std::forward<U>(value));
    } else {
      result = std::forward<U>(value);
    }
  }
  Result<R> result{std::unexpect, Code::cancelled};
};
template <>
class ResultSlot<void> {
 public:
  void return_void() noexcept {}
  Result<void> result{};
};

template <class R, bool Unwrap>
class ResultAwait {
 public:
  explicit ResultAwait(Result<R>&& result) : result_(std::move(result)) {}
  [[nodiscard]] bool await_ready() const noexcept { return !Unwrap || result_.has_value(); }
  template <class P>
  void await_suspend(std::coroutine_handle<P> waiting) {
    waiting.promise().fail(std::move(result_.error()));
  }
  auto await_resume() {
    if constexpr (!Unwrap) {
      return std::move(result_);
    } else if constexpr (!std::is_void_v<R>) {
      return std::move(*result_);
    }
  }

 private:
  Result<R> result_;
};

void* allocate_frame(std::size_t bytes) noexcept;
void free_frame(void* frame, std::size_t bytes) noexcept;

}  // namespace detail

template <class R>
class [[nodiscard]] Task {
 public:
  using Value = R;

  struct promise_type : PromiseBase, detail::ResultSlot<R> {
    promise_type() noexcept { self = std::coroutine_handle<promise_type>::from_promise(*this); }

    static void* operator new(std::size_t bytes) noexcept { return detail::allocate_frame(bytes); }
    static void operator delete(void* frame, std::size_t bytes) noexcept { detail::free_frame(frame, bytes); }
    static Task get_return_object_on_allocation_failure() noexcept {
      return Task(Error{Code::exhausted, "no memory for a coroutine frame: raise the limits or keep fewer turns open"});
    }

    Task get_return_object() noexcept { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Final {
        bool await_ready() noexcept { return false; }
        void await_suspend(std::coroutine_handle<promise_type> self) noexcept { self.promise().finished = true; }
        void await_resume() noexcept {}
      };
      return Final{};
    }
    void unhandled_exception() noexcept {
#if defined(__cpp_exceptions)
      this->result = std::unexpected<Error>(detail::caught());
#endif
    }
    void fail(Error&& error) noexcept {
      this->result = std::unexpected<Error>(std::move(error));
      finished = true;
    }

    template <class T>
    auto await_transform(Task<T>&& task) {
      return typename Task<T>::template Await<true>(std::move(task));
    }
    template <class T>
    auto await_transform(AsResult<Task<T>>&& task) {
      return typename Task<T>::template Await<false>(std::move(task.awaited));
    }
    template <class T>
    auto await_transform(Result<T> result) {
      return detail::ResultAwait<T, true>(std::move(result));
    }
    // Ends the task with this error: `co_await Error{Code::invalid, "no such seat"};`.
    auto await_transform(Error error) {
      return detail::ResultAwait<void, true>(std::unexpected<Error>(std::move(error)));
    }
    template <class T>
    auto await_transform(AsResult<Result<T>>&& result) {
      return detail::ResultAwait<T, false>(std::move(result.awaited));
    }
    template <class X>
    auto await_transform(X&& awaited) -> typename Awaitable<std::remove_cvref_t<X>>::template Await<true> {
      return typename Awaitable<std::remove_cvref_t<X>>::template Await<true>(awaited);
    }
    template <class X>
    auto await_transform(AsResult<X>&& awaited) -> typename Awaitable<std::remove_cvref_t<X>>::template Await<false> {
      return typename Awaitable<std::remove_cvref_t<X>>::template Await<false>(awaited.awaited);
    }
  };

  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, {})), value_(std::move(other.value_)) {}
  Task& operator=(Task&&) = delete;
  template <class U = R>
    requires(!std::is_void_v<R> && std::convertible_to<U, R> && !std::same_as<std::remove_cvref_t<U>, Error> &&
             !std::same_as<std::remove_cvref_t<U>, Result<R>> && !std::same_as<std::remove_cvref_t<U>, Task>)
  Task(U&& value) : value_(std::forward<U>(value)) {}
  Task(Error error) noexcept : value_(std::unexpect, std::move(error)) {}
  Task(Result<R> result) noexcept : value_(std::move(result)) {}
  Task() noexcept
    requires std::is_void_v<R>
  = default;
  ~Task() {
    if (frame_) frame_.destroy();
  }

  // Runs to the end or the first await that waits; a plain call, not a transfer. True: ended.
  [[nodiscard]] bool step() {
    if (!frame_) return true;
    frame_.resume();
    return frame_.promise().finished;
  }
  [[nodiscard]] Result<R>& result() noexcept { return frame_ ? frame_.promise().result : value_; }
  [[nodiscard]] promise_type* release() noexcept { return frame_ ? &std::exchange(frame_, {}).promise() : nullptr; }

  template <bool Unwrap>
  class Await {
   public:
    explicit Await(Task&& task) noexcept : task_(std::move(task)) {}
    [[nodiscard]] bool await_ready() {
      ended_ = task_.step();
      return ended_ && (!Unwrap || task_.result().has_value());
    }
    template <class P>
    void await_suspend(std::coroutine_handle<P> waiting) {
      if (ended_) {
        waiting.promise().fail(std::move(task_.result().error()));
        return;
      }
      promise_type& child = task_.frame_.promise();
      child.parent = &waiting.promise();
      child.settle = [](PromiseBase* self, Cell*) {
        if constexpr (Unwrap) {
          auto& result = static_cast<promise_type*>(self)->result;
          if (!result.has_value()) {
            static_cast<P*>(self->parent)->fail(std::move(result.error()));
            return false;
          }
        }
        return true;
      };
    }
    auto await_resume() {
      if constexpr (!Unwrap) {
        return std::move(task_.result());
      } else if constexpr (!std::is_void_v<R>) {
        return std::move(*task_.result());
      }
    }

   private:
    Task task_;
    bool ended_ = false;
  };

 private:
  explicit Task(std::coroutine_handle<promise_type> frame) noexcept
      : frame_(frame), value_(std::unexpect, Code::cancelled) {}

  std::coroutine_handle<promise_type> frame_;
  Result<R> value_;
};

}  // namespace troupe
