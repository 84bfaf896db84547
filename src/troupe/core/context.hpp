// Context: what a handler may use besides its own state.
//
// It is the header of the message's envelope, so it costs nothing and survives a co_await. A handler that wants it
// takes `Context&` as its second parameter. Whatever it does concerns the running actor and must happen in its turn.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include <troupe/core/any_ref.hpp>
#include <troupe/core/envelope.hpp>
#include <troupe/core/overflow.hpp>
#include <troupe/core/reply.hpp>
#include <troupe/core/timer_key.hpp>

namespace troupe {

template <class A, class Mailbox = MailboxOptions>
class Props;
template <class A>
class Children;

// The actor a class runs as: itself, or the OneOf it is an alternative of (`using Actor = OneOf<…>`).
namespace detail {
template <class A>
struct ActorOf {
  using Type = A;
};
template <class A>
  requires requires { typename A::Actor; }
struct ActorOf<A> {
  using Type = typename A::Actor;
};
}  // namespace detail
template <class A>
using ActorOf = typename detail::ActorOf<A>::Type;

class Context : private Envelope {
 public:
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Who this is, who sent the message and who spawned this; `context.self(this)`.
  template <class A>
  [[nodiscard]] Ref<ActorOf<A>> self(const A* actor) const noexcept;
  [[nodiscard]] AnyRef self() const noexcept;
  [[nodiscard]] AnyRef sender() const noexcept;
  [[nodiscard]] AnyRef parent() const noexcept;

  // Spawns a child. The short form cannot be refused for a name; without memory, or while this actor ends, its
  // reference refuses every message.
  template <class A, class... Arguments>
  Ref<A> spawn(Arguments&&... arguments);
  template <class A, class Mailbox>
  Result<Ref<A>> spawn(Props<A, Mailbox> props);
  // The actor of that name, spawned if there is none: however many race, one instance.
  template <class A, class Mailbox>
  Result<Ref<A>> spawn_once(Props<A, Mailbox> props);

  // The children, of all classes or of one.
  [[nodiscard]] Children<void> children() const noexcept;
  template <class A>
  [[nodiscard]] Children<A> children() const noexcept;

  // Ends this actor once the handler returns or waits.
  void stop() noexcept;

  // One Terminated when that actor ends, at once if it has ended; none for restarts.
  Result<void> watch(const AnyRef& who) noexcept;
  void unwatch(const AnyRef& who) noexcept;

  // Timers deliver messages to this actor: `context.after(this, 2s, Timeout{})`. A key replaces the timer that has it.
  template <class A, class M>
  Result<TimerKey> after(const A* actor, Duration delay, M message, TimerKey key = {});
  template <class A, class M>
  Result<TimerKey> every(const A* actor, Duration period, M message, TimerKey key = {});
  void cancel(TimerKey key) noexcept;

  // Keeps the reply for a later turn: `return context.keep(reply_);`.
  template <class R>
  [[nodiscard]] Kept<R> keep(Reply<R>& reply) noexcept {
    if (lane == Lane::tick || has(Envelope::stashed | Envelope::kept)) return {};  // nobody asks, or not now
    flags = static_cast<std::uint8_t>(flags | Envelope::kept);
    current_worker->kept = this;
    if (serial != 0 && !has(Envelope::outside)) replies::clear_edge(*Envelope::sender, serial);
    reply = Reply<R>(static_cast<Envelope*>(this));
    return {};
  }

  // Puts this message aside, unanswered; what the handler returns is ignored. It comes back, in order and in front of
  // the mailbox, with unstash. Full: an error, an event, and the message is handled as if nothing had been said.
  Result<void> stash() noexcept;
  void unstash() noexcept;
  [[nodiscard]] std::uint32_t stashed() const noexcept;

  // For a OneOf: the behaviour from the next message on. See behaviour.hpp.
  template <class B>
  Result<void> become(B behaviour);

  // Time as the system sees it; read once a batch.
  [[nodiscard]] Instant now() const noexcept;
  // When the asker stops waiting; end_of_time when nobody asked.
  [[nodiscard]] Instant deadline() const noexcept;
  // The deadline has passed, or a forced stop or a shutdown began: a long handler may end early.
  [[nodiscard]] bool cancelled() const noexcept;
  [[nodiscard]] bool asked() const noexcept { return serial != 0; }

 private:
  template <class A, class M>
  Result<TimerKey> start_timer(Duration delay, Duration period, M&& message, TimerKey key);
};
static_assert(sizeof(Context) == sizeof(Envelope));

// Stashed messages come back, in order, in front of the mailbox.
void unstash_all(Cell& cell) noexcept;

}  // namespace troupe
