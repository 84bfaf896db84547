// Side: what an actor has beyond its cell, made when it is first needed.
//
// A side block is stable memory, because a sender that holds an old reference to a drop_oldest mailbox may still
// reach for its lock. Such a sender reads only what stands under `lock`, and `cell` and `generation` there tell it
// whether the list is still the one it meant.
#pragma once

#include <cstdint>
#include <optional>

#include <troupe/core/alarm_book.hpp>
#include <troupe/core/cell.hpp>
#include <troupe/core/clock.hpp>
#include <troupe/core/counters.hpp>
#include <troupe/core/error.hpp>
#include <troupe/core/supervision.hpp>

namespace troupe {

struct Budget;
struct Watch;

// A lock for a handful of instructions. It may spin, because nobody runs user code or allocates under it.
class SpinLock {
 public:
  void lock() noexcept;
  void unlock() noexcept { held_.store(false, std::memory_order_release); }

 private:
  Atomic<bool> held_{false};
};

struct alignas(64) Side {
  // Under the lock, for any thread.
  SpinLock lock;
  bool rung = false;
  bool closed = true;
  std::uint32_t count = 0;
  std::uint32_t capacity = 0;
  Cell* cell = nullptr;
  Generation generation = 0;
  EnvelopeList list;                     // the normal lane of a locked mailbox
  const Error* unstarted_for = nullptr;  // why it gave up starting
  Side* next_free = nullptr;
  alignas(64) Envelope bell{};  // stands in the word's chain for the whole list

  // From here on for the owner alone, or for its children where it says so. The name is set before anybody knows the
  // actor; others read it under the lock, and its owner clears it under the lock.
  const void* name = nullptr;
  Cell* first_child = nullptr;
  std::uint32_t children = 0;
  std::uint32_t high_run = 0;
  Atomic<Cell*> reporters{nullptr};  // children that failed or ended
  Atomic<Cell*> newcomers{nullptr};  // of the guardian: roots that anybody spawned
  Watch* watchers = nullptr;
  Watch* watches = nullptr;
  EnvelopeList notices;
  EnvelopeList high;
  EnvelopeList stash;
  std::uint32_t stashed = 0;
  AlarmBook alarms;
  Instant next_deadline = end_of_time;  // an armed tick is due at or before every open deadline
  Budget* budget = nullptr;             // the parent's: restarts within the window
  Envelope* to_redeliver = nullptr;
  std::optional<Error> failure;  // written before the report, read by the parent after it
  const char* failed_message = "";
  std::optional<Error> last_error;  // what Stopping and Terminated tell
  Instant first_attempt = 0;
  Duration retry_after{};
  std::uint32_t attempt = 0;
  void* behaviour = nullptr;  // what `become` chose, until the turn ends

  // Figures, which the owner writes and anybody reads.
  Counter suspensions;
  Counter suspended_ns;                          // of those that have ended
  Atomic<Instant> suspended_since{end_of_time};  // the end of time: it is not
  Atomic<bool> measured{false};                  // by Props: the rest is counted too
  Counter processed;
  Counter runs;
  Counter waited;  // in units of a Stamp
};
static_assert(offsetof(Side, next_free) == offsetof(StableBlock, next));

}  // namespace troupe
