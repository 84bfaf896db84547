// Middleware: code that runs before and after each message of an actor, for tracing and policy.
//
// It costs an actor without one not a single instruction: the chain hangs on a bit that takes the run loop off its
// fast path.
#pragma once

#include <troupe/core/cell.hpp>
#include <troupe/core/error.hpp>
#include <troupe/core/worker.hpp>

namespace troupe {

// What middleware sees of a message.
struct Passing {
  CellRef actor;
  CellRef sender;
  const char* actor_type;
  const char* message;
  Instant now;
};

class Middleware {
 public:
  // An error refuses the message: who asked gets it, otherwise it is a dead letter. A failure or a fatal error counts
  // as the actor's own, so that tests can make any handler fail.
  virtual Result<void> before(const Passing& passing) noexcept = 0;
  // What this one allowed has ended: its turn is over, at once or after waiting, or the next one refused it.
  virtual void after(const Passing& passing) noexcept = 0;

 protected:
  ~Middleware() = default;
};

namespace middlewares {

void run(Worker& worker, Cell& cell, Envelope& envelope, void (*begin)(Worker&, Cell&, Envelope&));
// A turn that waited is over.
void end_waiting(Worker& worker, Cell& cell, Envelope& envelope) noexcept;

}  // namespace middlewares
}  // namespace troupe
