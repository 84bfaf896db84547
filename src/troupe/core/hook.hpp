// Hooks and notices: lifecycle messages as turns of their own.
#pragma once

#include <new>
#include <utility>

#include <troupe/core/life.hpp>
#include <troupe/core/lifecycle.hpp>

namespace troupe::hooks {

// An envelope for a lifecycle message of this actor; null: no memory.
[[nodiscard]] Envelope* make_envelope(Worker& worker, Cell& cell, std::size_t message_bytes,
                                      std::uint8_t flag) noexcept;

// Runs a hook at once; its end is reported to life::hook_ended, now or when its task has ended.
template <class M>
void run(Worker& worker, Cell& cell, Deliver deliver, M message) noexcept {
  Envelope* envelope = make_envelope(worker, cell, sizeof(M), Envelope::hook);
  if (envelope == nullptr) {
    life::hook_ended(worker, cell, Error{Code::exhausted, "no memory for a lifecycle message"});
    return;
  }
  envelope->deliver = deliver;
  new (envelope->payload()) M(std::move(message));
  deliver(Op::deliver, envelope, &cell, worker);
}

// The parent's instance hears afterwards what was decided; a newer failure of the same child replaces an older one.
void tell_child_failed(Worker& worker, Cell& parent, ChildFailed message) noexcept;

}  // namespace troupe::hooks
