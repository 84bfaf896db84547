// Completion: the bridge from any other asynchronous code into a handler.
//
//   Completion<int> done;
//   start_reading(done.token());        // any thread, once: token(42) or token(Error{…})
//   auto value = co_await done;
//
// Made in a handler's frame. Its token may go to any thread; a token that is dropped fails the completion by itself,
// so a lost callback cannot exist. A token that outlives the actor is harmless.
#pragma once

#include <coroutine>
#include <utility>

#include <troupe/core/reply.hpp>
#include <troupe/core/task.hpp>

namespace troupe {

template <class R>
class Completion {
 public:
  class Token {
   public:
    Token(Token&& other) noexcept : envelope_(std::exchange(other.envelope_, nullptr)) {}
    Token& operator=(Token&& other) noexcept {
      std::swap(envelope_, other.envelope_);
      return *this;
    }
    ~Token() {
      if (envelope_ != nullptr) (*this)(Error{Code::dropped, "the completion's token was dropped unused"});
    }
    void operator()(Result<R> result) {
      if (Envelope* envelope = std::exchange(envelope_, nullptr)) replies::send<R>(envelope, std::move(result));
    }
    void operator()()
      requires std::is_void_v<R>
    {
      (*this)(Result<void>{});
    }

   private:
    friend class Completion;
    explicit Token(Envelope* envelope) noexcept : envelope_(envelope) {}
    Envelope* envelope_;
  };

  Completion() noexcept = default;
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  // Once, in a turn; a second token does nothing. Without memory the completion has failed already, and the token does
  // nothing.
  [[nodiscard]] Token token() noexcept {
    if (std::exchange(state_, State::promised) != State::fresh) return Token(nullptr);
    Worker& worker = *current_worker;
    Cell& cell = *worker.running;
    constexpr SizeClass size_class = size_class_of(sizeof(Envelope) + sizeof(Result<R>));
    void* memory = worker.allocate(size_class);
    if (memory == nullptr) {
      awaiter_.arrived = true;
      awaiter_.value = Error{Code::exhausted, "no memory for a completion"};
      return Token(nullptr);
    }
    awaiter_.enter(cell);
    auto* envelope = new (memory) Envelope{};
    envelope->sender = &cell;
    envelope->sender_generation = cell.generation.load(order::relaxed);
    envelope->serial = awaiter_.serial;
    envelope->size_class = size_class;
    return Token(envelope);
  }

  template <bool Unwrap>
  class Await {
   public:
    explicit Await(Completion& completion) noexcept : awaiter_(completion.awaiter_) {
      if (std::exchange(completion.state_, State::awaited) == State::promised) return;
      awaiter_.arrived = true;  // nothing will come: it would wait for ever
      awaiter_.value = Error{Code::invalid, "a completion is awaited once, after its token was made"};
    }
    [[nodiscard]] bool await_ready() const noexcept {
      return awaiter_.arrived && (!Unwrap || awaiter_.value.has_value());
    }
    template <class P>
    void await_suspend(std::coroutine_handle<P> waiting) {
      if (awaiter_.arrived) {
        waiting.promise().fail(std::move(awaiter_.value.error()));
        return;
      }
      awaiter_.waiting = &waiting.promise();
      awaiter_.settle = [](Awaiter* self, Error*) {
        auto* awaiter = static_cast<ValueAwaiter<R>*>(self);
        if (Unwrap && !awaiter->value.has_value()) {
          static_cast<P*>(awaiter->waiting)->fail(std::move(awaiter->value.error()));
        }
      };
    }
    auto await_resume() {
      if constexpr (!Unwrap) {
        return std::move(awaiter_.value);
      } else if constexpr (!std::is_void_v<R>) {
        return std::move(*awaiter_.value);
      }
    }

   private:
    ValueAwaiter<R>& awaiter_;
  };

 private:
  enum class State : std::uint8_t { fresh, promised, awaited };

  ValueAwaiter<R> awaiter_;
  State state_ = State::fresh;
};

template <class R>
struct Awaitable<Completion<R>> {
  template <bool Unwrap>
  using Await = typename Completion<R>::template Await<Unwrap>;
};

}  // namespace troupe
