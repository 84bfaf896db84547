#include <troupe/core/middleware.hpp>

#include <troupe/core/kernel.hpp>
#include <troupe/core/life.hpp>
#include <troupe/core/mailbox.hpp>
#include <troupe/core/options.hpp>
#include <troupe/core/turn.hpp>

namespace troupe::middlewares {

namespace {

Passing passing_of(Worker& worker, const Cell& cell, const Envelope& envelope) noexcept {
  return {.actor = {const_cast<Cell*>(&cell), cell.generation.load(order::relaxed)},
          .sender = {envelope.sender, envelope.sender_generation},
          .actor_type = cell.type.load(order::relaxed)->actor_class->name,
          .message = envelope.deliver(Op::message_name, nullptr, nullptr, worker),
          .now = worker.now};
}

// The system's own first, then the actor's, in the order given.
struct Chain {
  Middleware* items[ActorOptions::most_middleware + 1];
  unsigned size = 0;

  explicit Chain(const Cell& cell) noexcept {
    const auto add = [this](Middleware* middleware) {
      if (middleware != nullptr) items[size++] = middleware;
    };
    add(cell.type.load(order::relaxed)->kernel->options().middleware);
    for (Middleware* middleware : cell.recipe->options->middleware) add(middleware);
  }
  // Of the first so many; the last one hears first.
  void after(const Passing& passing, unsigned allowed) const noexcept {
    for (unsigned i = allowed; i-- > 0;) items[i]->after(passing);
  }
};

}  // namespace

void run(Worker& worker, Cell& cell, Envelope& envelope, void (*begin)(Worker&, Cell&, Envelope&)) {
  const Passing passing = passing_of(worker, cell, envelope);
  const Chain chain(cell);
  for (unsigned i = 0; i < chain.size; ++i) {
    Result<void> allowed = chain.items[i]->before(passing);
    if (allowed.has_value()) continue;
    turns::refuse(worker, cell, envelope, allowed.error());
    chain.after(passing, i);
    return;
  }
  const std::uint8_t open = cell.open_turns;
  begin(worker, cell, envelope);
  if (cell.open_turns == open) {
    chain.after(passing, chain.size);
  } else {
    envelope.flags = static_cast<std::uint8_t>(envelope.flags | Envelope::chained);
  }
}

void end_waiting(Worker& worker, Cell& cell, Envelope& envelope) noexcept {
  envelope.flags = static_cast<std::uint8_t>(envelope.flags & ~Envelope::chained);
  const Chain chain(cell);
  chain.after(passing_of(worker, cell, envelope), chain.size);
}

}  // namespace troupe::middlewares
