// Delivery: the function that an envelope carries, instantiated for one actor class and one message.
//
// It runs the handler behind the exception barrier, sees to the reply, and tells supervision of a failure. Four kinds
// of turn share it: messages, timer ticks, lifecycle hooks and notices differ in where their message lies and in
// what happens at the end.
#pragma once

#include <type_traits>
#include <utility>

#include <troupe/core/alarm.hpp>
#include <troupe/core/context.hpp>
#include <troupe/core/guard.hpp>
#include <troupe/core/handler.hpp>
#include <troupe/core/hook.hpp>
#include <troupe/core/life.hpp>
#include <troupe/core/middleware.hpp>
#include <troupe/core/turn.hpp>
#include <troupe/core/type_name.hpp>

namespace troupe::detail {

// A turn that ended with an error. True: the envelope is kept for redelivery, and an asker must be answered apart.
[[nodiscard, gnu::cold]] bool turn_failed(Worker& worker, Cell& cell, Envelope* envelope, const Error& error) noexcept;
// An envelope that answers like this one; null: no memory, and the asker's deadline has to do.
[[nodiscard, gnu::cold]] Envelope* spare_reply(Worker& worker, const Envelope& envelope, std::size_t bytes) noexcept;

inline void count_message(Worker& worker, Cell& cell) noexcept {
  worker.counters.handled.add();
  cell.type.load(order::relaxed)->counters[worker.index].processed.add();
}

struct MessageTurn {
  template <class M>
  static M& message(Envelope* envelope) noexcept {
    return *static_cast<M*>(envelope->payload());
  }
  template <class M, class R>
  static void end(Worker& worker, Cell& cell, Envelope* envelope, Result<R>&& result) {
    count_message(worker, cell);
    if (!result.has_value()) [[unlikely]] {
      if (turn_failed(worker, cell, envelope, result.error())) {
        Envelope* reply = spare_reply(worker, *envelope, sizeof(Result<R>));
        envelope->serial = 0;
        if (reply != nullptr) replies::send<R>(reply, std::move(result));
        return;
      }
    }
    if (envelope->has(Envelope::kept)) [[unlikely]]
      return;  // the Reply answers
    message<M>(envelope).~M();
    give_back<R>(worker, envelope, std::move(result));
  }
  // A handler returned a Kept of another message.
  template <class M, class R>
  static void end_unkept(Worker& worker, Cell& cell, Envelope* envelope) {
    end<M, R>(worker, cell, envelope, Error{Code::dropped, "the handler kept no reply"});
  }
  template <class R>
  static void give_back(Worker& worker, Envelope* envelope, Result<R>&& result) {
    if (envelope->serial != 0) {
      replies::send<R>(envelope, std::move(result));
    } else {
      worker.free(envelope, envelope->size_class);
    }
  }
  template <class M, class R>
  static void drop(Worker& worker, Cell* cell, Envelope* envelope) {
    message<M>(envelope).~M();
    if (envelope->serial != 0) {
      replies::send<R>(envelope, life::drop_error(*envelope, *cell));
    } else {
      worker.free(envelope, envelope->size_class);
    }
  }
};

struct TickTurn {
  template <class M>
  static M& message(Envelope* envelope) noexcept {
    return *static_cast<M*>(Alarm::of(*envelope).message());
  }
  template <class M, class R>
  static void end(Worker& worker, Cell& cell, Envelope* envelope, Result<R>&& result) {
    if (!result.has_value()) (void)turn_failed(worker, cell, envelope, result.error());
    end_unkept<M, R>(worker, cell, envelope);
  }
  // Nobody asks by a timer: a handler that keeps its reply has kept nothing.
  template <class M, class R>
  static void end_unkept(Worker& worker, Cell& cell, Envelope* envelope) {
    count_message(worker, cell);
    alarms::finish(worker, cell, Alarm::of(*envelope));
  }
  template <class M, class R>
  static void drop(Worker& worker, Cell* cell, Envelope* envelope) {
    alarms::finish(worker, *cell, Alarm::of(*envelope));
  }
};

struct HookTurn {
  template <class M>
  static M& message(Envelope* envelope) noexcept {
    return *static_cast<M*>(envelope->payload());
  }
  template <class M, class R>
  static void end(Worker& worker, Cell& cell, Envelope* envelope, Result<R>&& result) {
    drop<M, R>(worker, &cell, envelope);
    if (result.has_value()) {
      life::hook_ended(worker, cell, {});
    } else {
      life::hook_ended(worker, cell, std::move(result.error()));
    }
  }
  template <class M, class R>
  static void drop(Worker& worker, Cell*, Envelope* envelope) {
    message<M>(envelope).~M();
    worker.free(envelope, envelope->size_class);
  }
};

struct NoticeTurn : HookTurn {
  template <class M, class R>
  static void end(Worker& worker, Cell& cell, Envelope* envelope, Result<R>&& result) {
    if (!result.has_value()) (void)turn_failed(worker, cell, envelope, result.error());
    drop<M, R>(worker, &cell, envelope);
  }
};

// The handler's task waits: the turn stays open until it settles.
template <class Turn, class M, class R>
void suspend(Cell& cell, Envelope* envelope, typename Task<R>::promise_type* promise) noexcept {
  promise->turn = envelope;
  if (++cell.open_turns >= cell.max_turns) cell.block(Cell::turns_full);
  promise->settle = [](PromiseBase* self, Cell* own) {
    auto* root = static_cast<typename Task<R>::promise_type*>(self);
    Envelope* turn = root->turn;
    Result<R> result = std::move(root->result);
    root->self.destroy();  // before the message: a local's destructor may read it
    --own->open_turns;
    own->unblock(Cell::turns_full);
    Worker& worker = *current_worker;
    // One look for both, so that middleware costs nothing where there is none.
    if (turn->has(Envelope::stashed | Envelope::chained)) [[unlikely]] {
      if (turn->has(Envelope::chained)) middlewares::end_waiting(worker, *own, *turn);
      if (turn->has(Envelope::stashed)) return false;
    }
    Turn::template end<M, R>(worker, *own, turn, std::move(result));
    return false;
  };
}

template <class R, class Call>
Result<R> guarded_result(Call&& call) {
#if defined(__cpp_exceptions)
  try {
    return std::forward<Call>(call)();
  } catch (...) {
    return std::unexpected<Error>(caught());
  }
#else
  return std::forward<Call>(call)();
#endif
}

// The handler put its message aside: the stash owns the envelope now.
template <class A, class M>
[[nodiscard]] inline bool was_stashed(const Envelope* envelope) noexcept {
  return takes_context<A, M> && envelope->has(Envelope::stashed);
}

template <class A, class M, class Turn>
void run_handler(Envelope* envelope, Cell& cell, Worker& worker) {
  using T = std::remove_cvref_t<Returned<A, M>>;
  using R = ReplyOf<A, M>;
  A& actor = *static_cast<A*>(cell.state());
  M& message = Turn::template message<M>(envelope);
  Context& context = *reinterpret_cast<Context*>(envelope);
  if constexpr (consumes<A, M>) envelope->flags = static_cast<std::uint8_t>(envelope->flags | Envelope::consumed);
  if constexpr (is_task<T>) {
    bool open = false;
    Result<R> result = guarded_result<R>([&]() -> Result<R> {
      T task = call(actor, message, context);
      if (task.step()) return std::move(task.result());
      suspend<Turn, M, R>(cell, envelope, task.release());
      open = true;
      return std::unexpected<Error>(Code::cancelled);
    });
    if (open || was_stashed<A, M>(envelope)) return;
    Turn::template end<M, R>(worker, cell, envelope, std::move(result));
  } else if constexpr (is_kept<T>) {
    // The handler may answer at once, and then the envelope is gone: a copy tells who asked.
    Envelope header = *envelope;
    worker.kept = nullptr;
    Result<void> result = guarded_result<void>([&]() -> Result<void> {
      (void)call(actor, message, context);
      return {};
    });
    if (worker.kept == envelope) {
      count_message(worker, cell);
      header.flags = static_cast<std::uint8_t>(header.flags | Envelope::kept);
      if (!result.has_value()) (void)turn_failed(worker, cell, &header, result.error());
    } else if (was_stashed<A, M>(envelope)) {
      return;
    } else if (!result.has_value()) {
      Turn::template end<M, R>(worker, cell, envelope, std::unexpected<Error>(std::move(result.error())));
    } else {
      Turn::template end_unkept<M, R>(worker, cell, envelope);
    }
  } else {
    Result<R> result = guarded_result<R>([&]() -> Result<R> {
      if constexpr (std::is_void_v<T>) {
        call(actor, message, context);
        return {};
      } else {
        return call(actor, message, context);
      }
    });
    if (was_stashed<A, M>(envelope)) return;
    Turn::template end<M, R>(worker, cell, envelope, std::move(result));
  }
}

template <class A, class M, class Turn>
const char* deliver_as(Op op, Envelope* envelope, Cell* cell, Worker& worker) {
  switch (op) {
    case Op::deliver:
      run_handler<A, M, Turn>(envelope, *cell, worker);
      break;
    case Op::drop:
      Turn::template drop<M, ReplyOf<A, M>>(worker, cell, envelope);
      break;
    case Op::clear:
      Turn::template message<M>(envelope).~M();
      break;
    case Op::message_name:
      return name_of<M>();
    case Op::actor_name:
      return name_of<A>();
  }
  return "";
}

template <class A, class M>
inline constexpr Deliver deliver = &deliver_as<A, M, MessageTurn>;

template <class A, class M, class Turn>
consteval Deliver deliver_if_handled() {
  if constexpr (Handles<A, M>) {
    static_assert(std::is_void_v<ReplyOf<A, M>> && !is_kept<std::remove_cvref_t<Returned<A, M>>>,
                  "a lifecycle handler returns void, Result<void> or Task<void>");
    return &deliver_as<A, M, Turn>;
  } else {
    return nullptr;
  }
}

template <class A>
consteval HasBehaviour has_behaviour_of() {
  if constexpr (requires { &A::has_behaviour; }) {
    return &A::has_behaviour;
  } else {
    return nullptr;
  }
}

template <class A>
inline constinit Atomic<std::uint16_t> class_index{0xffff};

template <class A>
inline constinit const ActorClass class_of{
    .name = name_of<A>(),
    .address_type = address_type_of<A>(),
    .state_bytes = sizeof(A),
    .destroy = [](void* actor) noexcept { static_cast<A*>(actor)->~A(); },
    .started = deliver_if_handled<A, Started, HookTurn>(),
    .stopping = deliver_if_handled<A, Stopping, HookTurn>(),
    .restarting = deliver_if_handled<A, Restarting, HookTurn>(),
    .child_failed = deliver_if_handled<A, ChildFailed, NoticeTurn>(),
    .terminated = deliver_if_handled<A, Terminated, NoticeTurn>(),
    .has_behaviour = has_behaviour_of<A>(),
    .index = &class_index<A>,
};

}  // namespace troupe::detail
