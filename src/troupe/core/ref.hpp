// Ref: a reference to an actor, by its class.
//
// A value of two words, pointer and generation: copied, compared and stored at will, not counted. A stale one is
// refused, never dangling. `ref.tell<Add>(5)` builds the message in place inside its envelope; `ref.tell(add)` moves
// it, and leaves it with the caller when it is refused. A message that the actor does not handle does not compile.
#pragma once

#include <new>
#include <type_traits>
#include <utility>

#include <troupe/core/ask.hpp>
#include <troupe/core/delivery.hpp>
#include <troupe/core/mailbox.hpp>
#include <troupe/core/receipt.hpp>
#include <troupe/core/turn.hpp>

namespace troupe {

namespace detail {

template <class M>
inline constexpr bool is_plain = !std::is_reference_v<M> && !std::is_const_v<M>;

template <class M>
void check_message() {
  static_assert(std::is_nothrow_destructible_v<M>, "a message's destructor must not throw");
  static_assert(alignof(M) <= 16, "a message is aligned to at most 16 bytes: keep over-aligned data behind a pointer");
  static_assert(size_class_of(sizeof(Envelope) + sizeof(M)) != 0, "a message is at most 1 MiB: send a pointer to it");
}

// A constructor that throws throws at the caller, who has sent nothing then.
template <class M, class... Fields>
void construct_message([[maybe_unused]] Worker& worker, Envelope* envelope, Fields&&... fields) {
#if defined(__cpp_exceptions)
  if constexpr (!noexcept(M{std::forward<Fields>(fields)...})) {
    try {
      new (envelope->payload()) M{std::forward<Fields>(fields)...};
    } catch (...) {
      worker.counters.rejected.add();
      worker.free(envelope, envelope->size_class);
      throw;
    }
    return;
  }
#endif
  new (envelope->payload()) M{std::forward<Fields>(fields)...};
}

// Builds the message in a fresh envelope; null: no memory.
template <class M, class... Fields>
[[nodiscard]] Envelope* build(Worker& worker, Generation generation, Deliver deliver, Lane lane, SizeClass size_class,
                              Fields&&... fields) {
  check_message<M>();
  auto* envelope = static_cast<Envelope*>(worker.allocate(size_class));
  if (envelope == nullptr) [[unlikely]]
    return nullptr;
  Cell* sender = current_worker->running;
  envelope->deliver = deliver;
  envelope->generation = generation;
  envelope->sender = sender;
  envelope->sender_generation = sender == nullptr ? 0 : sender->generation.load(order::relaxed);
  envelope->serial = 0;
  envelope->lane = lane;
  envelope->flags = Envelope::counted;
  envelope->size_class = size_class;
  envelope->reason = DeadReason::none;
  construct_message<M>(worker, envelope, std::forward<Fields>(fields)...);
  return envelope;
}

// The message was built and then refused: what was moved in goes back to the caller.
template <class M>
void unbuild(Worker& worker, Envelope* envelope, [[maybe_unused]] M* give_back) {
  auto* message = static_cast<M*>(envelope->payload());
  if constexpr (std::is_move_assignable_v<M>) {
    if (give_back != nullptr) *give_back = std::move(*message);
  }
  message->~M();
  worker.free(envelope, envelope->size_class);
}

template <class M>
inline constexpr SizeClass tell_class = size_class_of(sizeof(Envelope) + sizeof(M));

[[nodiscard, gnu::cold]] Receipt no_memory(Worker& worker, CellRef target, Deliver deliver) noexcept;
[[gnu::cold]] void publish_no_memory(Worker& worker, CellRef target, Deliver deliver) noexcept;
// Finds room or says what stands in the way; `again` with room on `word`.
[[nodiscard, gnu::cold]] mailbox::Verdict look_for_room(Worker& worker, CellRef target, Lane lane,
                                                        mailbox::Word& word) noexcept;
[[nodiscard, gnu::cold]] Receipt tell_list(Worker& worker, CellRef target, Envelope* envelope, bool& taken) noexcept;

// No room at the first look, or a race lost: everything unusual happens here.
template <class M, class... Fields>
[[gnu::cold, gnu::noinline]] Receipt tell_slowly(Worker& worker, CellRef target, Deliver deliver, Lane lane,
                                                 Envelope* envelope, M* give_back, Fields&&... fields) {
  Cell& cell = *target.cell;
  for (;;) {
    mailbox::Word word = cell.word.load(order::acquire);
    const auto verdict = look_for_room(worker, target, lane, word);
    if (verdict != mailbox::Verdict::again && verdict != mailbox::Verdict::locked) {
      if (envelope != nullptr) unbuild<M>(worker, envelope, give_back);
      return turns::refused(worker, cell, target.generation, deliver, verdict);
    }
    if (envelope == nullptr) {
      // NOLINTNEXTLINE(bugprone-use-after-move): only the first round finds no envelope
      envelope = build<M>(worker, target.generation, deliver, lane, tell_class<M>, std::forward<Fields>(fields)...);
      if (envelope == nullptr) return no_memory(worker, target, deliver);
    }
    if (verdict == mailbox::Verdict::locked) {
      bool taken = false;
      Receipt receipt = tell_list(worker, target, envelope, taken);
      if (!taken) unbuild<M>(worker, envelope, give_back);
      return receipt;
    }
    const auto pushed = mailbox::offer(cell, *envelope, word);
    if (pushed == mailbox::Push::scheduled) worker.schedule(cell);
    if (pushed != mailbox::Push::refused) return Fate::accepted;
  }
}

template <class M, class... Fields>
Receipt tell(CellRef target, Deliver deliver, Lane lane, M* give_back, Fields&&... fields) {
  Worker* worker = worker_for(target.generation, Host::Errand::message);
  if (worker == nullptr) [[unlikely]]
    return turns::refused_by_nobody(target, deliver);
  worker->counters.sent.add();
  Cell& cell = *target.cell;
  const mailbox::Word word = cell.word.load(order::acquire);
  if (!mailbox::has_room(cell, word, target.generation, lane)) [[unlikely]] {
    return tell_slowly<M>(*worker, target, deliver, lane, nullptr, give_back, std::forward<Fields>(fields)...);
  }
  Envelope* envelope =
      build<M>(*worker, target.generation, deliver, lane, tell_class<M>, std::forward<Fields>(fields)...);
  if (envelope == nullptr) [[unlikely]]
    return no_memory(*worker, target, deliver);
  const auto pushed = mailbox::offer(cell, *envelope, word);
  if (pushed == mailbox::Push::refused) [[unlikely]] {
    // NOLINTNEXTLINE(bugprone-use-after-move): with an envelope the fields are not looked at
    return tell_slowly<M>(*worker, target, deliver, lane, envelope, give_back, std::forward<Fields>(fields)...);
  }
  if (pushed == mailbox::Push::scheduled) worker->schedule(cell);
  return Fate::accepted;
}

template <class M, class R, class... Fields>
Ask<R> ask(CellRef target, Deliver deliver, bool for_room, Fields&&... fields) {
  static_assert(std::is_nothrow_move_constructible_v<Result<R>>, "a reply must be movable without an exception");
  asks::Request request{.target = target, .refused = Code::stopped, .for_room = for_room};
  Worker* worker = worker_for(target.generation, Host::Errand::message);
  if (worker == nullptr) {
    if (turns::refused_by_nobody(target, deliver).fate() == Fate::not_found) request.refused = Code::not_found;
    return Ask<R>(request);
  }
  constexpr SizeClass size_class = size_class_of(replies::request_bytes<M, R>);
  request.envelope =
      build<M>(*worker, target.generation, deliver, Lane::normal, size_class, std::forward<Fields>(fields)...);
  request.refused = Code::exhausted;
  if (request.envelope == nullptr) [[unlikely]]
    publish_no_memory(*worker, target, deliver);
  return Ask<R>(request);
}

}  // namespace detail

template <class A>
class Ref {
 public:
  using Actor = A;

  Ref() noexcept : cell_{&nowhere_cell, 0} {}  // names nobody: every tell is `not_found`
  explicit Ref(CellRef cell) noexcept : cell_(cell) {}
  operator AnyRef() const noexcept { return AnyRef(cell_); }

  // No reply. Never waits; the receipt is exact.
  template <class M, class... Fields>
  Receipt tell(Fields&&... fields) const {
    static_assert(detail::is_plain<M>, "a message is a plain type: no reference, no const");
    if constexpr (!Handles<A, M>) {
      (void)sizeof(ActorDoesNotHandle<A, M>);
      return Fate::not_found;
    } else {
      return detail::tell<M>(cell_, detail::deliver<A, M>, Lane::normal, nullptr, std::forward<Fields>(fields)...);
    }
  }
  template <class... Deduced, class Message>
    requires(sizeof...(Deduced) == 0)
  Receipt tell(Message&& message) const {
    return tell_moved<Lane::normal>(std::forward<Message>(message));
  }

  // Before the normal messages, with reserved room of its own.
  template <class M, class... Fields>
  Receipt tell_high(Fields&&... fields) const {
    static_assert(detail::is_plain<M>, "a message is a plain type: no reference, no const");
    if constexpr (!Handles<A, M>) {
      (void)sizeof(ActorDoesNotHandle<A, M>);
      return Fate::not_found;
    } else {
      return detail::tell<M>(cell_, detail::deliver<A, M>, Lane::high, nullptr, std::forward<Fields>(fields)...);
    }
  }
  template <class... Deduced, class Message>
    requires(sizeof...(Deduced) == 0)
  Receipt tell_high(Message&& message) const {
    return tell_moved<Lane::high>(std::forward<Message>(message));
  }

  // A reply: `co_await ref.ask<Get>(7)` in a handler, `system.wait(ref.ask<Get>(7))` outside.
  template <class M, class... Fields>
  auto ask(Fields&&... fields) const {
    static_assert(detail::is_plain<M>, "a message is a plain type: no reference, no const");
    if constexpr (!Handles<A, M>) {
      (void)sizeof(ActorDoesNotHandle<A, M>);
      return Ask<void>(asks::Request{});
    } else {
      return detail::ask<M, ReplyOf<A, M>>(cell_, detail::deliver<A, M>, false, std::forward<Fields>(fields)...);
    }
  }

  // No reply, but waits for room under Overflow::block: `co_await ref.send<Add>(5)`.
  template <class M, class... Fields>
  Ask<void> send(Fields&&... fields) const {
    static_assert(detail::is_plain<M>, "a message is a plain type: no reference, no const");
    if constexpr (!Handles<A, M>) {
      (void)sizeof(ActorDoesNotHandle<A, M>);
      return Ask<void>(asks::Request{});
    } else {
      return detail::ask<M, void>(cell_, detail::deliver<A, M>, true, std::forward<Fields>(fields)...);
    }
  }

  bool stop() const noexcept { return AnyRef(cell_).stop(); }
  bool force_stop() const noexcept { return AnyRef(cell_).force_stop(); }
  bool drain() const noexcept { return AnyRef(cell_).drain(); }
  bool suspend() const noexcept { return AnyRef(cell_).suspend(); }
  bool resume() const noexcept { return AnyRef(cell_).resume(); }
  bool start_again() const noexcept { return AnyRef(cell_).start_again(); }

  explicit operator bool() const noexcept { return cell_.cell != &nowhere_cell; }
  [[nodiscard]] CellRef cell() const noexcept { return cell_; }
  friend bool operator==(const Ref&, const Ref&) = default;

 private:
  template <Lane lane, class Message>
  Receipt tell_moved(Message&& message) const {
    using M = std::remove_cvref_t<Message>;
    if constexpr (!Handles<A, M>) {
      (void)sizeof(ActorDoesNotHandle<A, M>);
      return Fate::not_found;
    } else {
      M* give_back = nullptr;
      if constexpr (std::is_rvalue_reference_v<Message&&> && !std::is_const_v<std::remove_reference_t<Message>>) {
        give_back = &message;
      }
      return detail::tell<M>(cell_, detail::deliver<A, M>, lane, give_back, std::forward<Message>(message));
    }
  }

  CellRef cell_;
};

template <class A>
bool AnyRef::is() const noexcept {
  const Type* type = cell_.cell->type.load(order::acquire);
  // A cell keeps its generation and type until it is used again, when nobody can tell: its word says that it has ended.
  const bool closed = (cell_.cell->word.load(order::acquire) & mailbox::closed) != 0;
  const bool alive = !closed && cell_.cell->generation.load(order::acquire) == cell_.generation;
  return alive && type != nullptr && type->actor_class == &detail::class_of<A>;
}
template <class A>
Ref<A> AnyRef::as() const noexcept {
  return is<A>() ? Ref<A>(cell_) : Ref<A>();
}

template <class A>
Ref<ActorOf<A>> Context::self(const A*) const noexcept {
  return Ref<ActorOf<A>>(self().cell());
}

}  // namespace troupe

template <class A>
struct std::hash<troupe::Ref<A>> {
  std::size_t operator()(const troupe::Ref<A>& ref) const noexcept {
    return std::hash<troupe::AnyRef>{}(troupe::AnyRef(ref.cell()));
  }
};
