// Executor and Host: the seam between core and whatever runs it.
//
// Every executor — threads, synchronous, deterministic — runs the same Worker and the same cells. They differ in
// five cold functions, none of which is called for a message while things are warm.
#pragma once

#include <cstdint>

#include <troupe/core/clock.hpp>
#include <troupe/core/envelope.hpp>

namespace troupe {

struct Event;

class Executor {
 public:
  // Put blocks into an empty pool; false: there are none left.
  virtual bool refill(Memory& memory, SizeClass size_class) noexcept = 0;
  // Take blocks out of a pool that grew too long.
  virtual void surplus(Memory& memory, SizeClass size_class) noexcept = 0;
  // The worker's own queue is long: give some of it away if that pays.
  virtual void share(Worker& worker) noexcept = 0;
  // Nothing to run until this moment; false: the worker shall leave.
  virtual bool park(Worker& worker, Instant until) noexcept = 0;
  // An actor became runnable, and the caller is no worker of its dispatcher.
  virtual void wake(Worker& from, Cell& cell) noexcept = 0;

 protected:
  ~Executor() = default;
};

// What only a process with threads has. A device has no Host.
class Host {
 public:
  // The calling thread's entrance to a system; null: the system has ended or, for messages, is shutting down.
  enum class Errand : std::uint8_t { message, control };
  virtual Worker* door(std::uint16_t system, Errand errand) noexcept = 0;
  // The calling thread's memory when it is in no system at all.
  virtual Worker& thread_memory() noexcept = 0;
  // A lock is held by somebody who may not be running.
  virtual void relax() noexcept = 0;
  // A reference to a system that takes nothing from here was used. If that system has ended, somebody should hear of it.
  virtual void escaped(const Event& event) noexcept = 0;

 protected:
  ~Host() = default;
};

// Set once by the runtime, before any system exists.
inline constinit Host* host = nullptr;

}  // namespace troupe
