// SystemExecutor: what a System asks of the executor it runs on, beyond the five functions of core.
#pragma once

#include <functional>

#include <troupe/core/executor.hpp>
#include <troupe/core/kernel.hpp>
#include <troupe/runtime/dispatcher.hpp>

namespace troupe {

class SystemExecutor : public Executor {
 public:
  virtual ~SystemExecutor() = default;

  [[nodiscard]] virtual Clock& clock() noexcept = 0;
  [[nodiscard]] virtual std::uint16_t workers() const noexcept = 0;
  // The kernel is open from here on; `end` returns when no actor code runs any more.
  virtual void begin(Kernel& kernel) noexcept = 0;
  virtual void end() noexcept = 0;
  // A worker of the system to do its own housekeeping with, before `begin` and after `end`.
  [[nodiscard]] virtual Worker& first_worker() noexcept = 0;

  // Sleeps, or runs actors, until the word is not zero or the time has come; true: it is not zero.
  virtual bool wait(Atomic<std::uint32_t>& word, Instant until) noexcept = 0;
  // Whether Overflow::block is possible, and whether threads of its own serve the system.
  [[nodiscard]] virtual bool may_block() const noexcept = 0;
  [[nodiscard]] virtual bool has_threads() const noexcept = 0;

  // This worker has been in one batch for a while: what waits behind its handler may go elsewhere. From one thread.
  virtual void relieve(Worker& /*held_up*/) noexcept {}

  // How many workers are not asleep; a worker counts itself before it looks whether somebody wants to be roused.
  Atomic<std::uint32_t> awake{0};
  // Called when a worker leaves its sleep; set before `begin`.
  void when_awake(std::function<void()> rouse) { rouse_ = std::move(rouse); }

  virtual void each_worker(const std::function<void(Worker&, const DispatcherOptions&)>& visit) = 0;

 protected:
  std::function<void()> rouse_;
};

}  // namespace troupe
