// Adapters: an actor that speaks one protocol, seen as one that speaks another.
//
//   constexpr auto to_celsius = [](const Fahrenheit& f) { return Celsius{(f.degrees - 32) / 1.8}; };
//   Ref<Protocol<void(Fahrenheit)>> port = adapted<Fahrenheit, to_celsius>(thermometer);
//
// The conversion happens in the receiver's own turn and costs no further actor: the reference carries a delivery
// function that converts and then delivers.
#pragma once

#include <type_traits>
#include <utility>

#include <troupe/core/protocol.hpp>

namespace troupe {

namespace detail {

template <class A, class From, auto convert>
const char* deliver_adapted(Op op, Envelope* envelope, Cell* cell, Worker& worker) {
  using To = std::remove_cvref_t<decltype(convert(std::declval<const From&>()))>;
  using R = ReplyOf<A, To>;
  switch (op) {
    case Op::deliver: {
      constexpr SizeClass size_class = size_class_of(replies::request_bytes<To, R>);
      auto& from = MessageTurn::message<From>(envelope);
      void* memory = worker.allocate(size_class);
      if (memory == nullptr) {
        MessageTurn::end<From, R>(worker, *cell, envelope, Error{Code::exhausted, "no memory to adapt a message"});
        break;
      }
      auto converted = guarded_result<To>([&]() -> Result<To> { return convert(std::as_const(from)); });
      if (!converted.has_value()) {
        worker.free(memory, size_class);
        MessageTurn::end<From, R>(worker, *cell, envelope, std::unexpected<Error>(std::move(converted.error())));
        break;
      }
      auto* adapted = new (memory) Envelope(*envelope);
      adapted->size_class = size_class;
      adapted->deliver = detail::deliver<A, To>;
      static_assert(std::is_nothrow_move_constructible_v<To>,
                    "what an adapter makes must be movable without an exception");
      new (adapted->payload()) To(std::move(*converted));
      if (envelope->serial != 0) adapted->template tail<Instant>() = envelope->tail<Instant>();
      from.~From();
      worker.free(envelope, envelope->size_class);
      adapted->deliver(Op::deliver, adapted, cell, worker);
      break;
    }
    case Op::drop:
      MessageTurn::drop<From, R>(worker, cell, envelope);
      break;
    case Op::clear:
      MessageTurn::message<From>(envelope).~From();
      break;
    case Op::message_name:
      return name_of<From>();
    case Op::actor_name:
      return name_of<A>();
  }
  return "";
}

}  // namespace detail

// An actor of class A that is told a From hears what `convert` makes of it.
template <class From, auto convert, class A>
[[nodiscard]] auto adapted(const Ref<A>& actor) noexcept {
  using To = std::remove_cvref_t<decltype(convert(std::declval<const From&>()))>;
  static_assert(Handles<A, To>, "the actor does not handle what the conversion yields");
  static constexpr Deliver table[] = {&detail::deliver_adapted<A, From, convert>};
  return Ref<Protocol<ReplyOf<A, To>(From)>>(actor.cell(), table);
}

}  // namespace troupe
