// Threads: the default executor, worker threads in named dispatchers.
//
// Each worker has a run queue of its own and crosses to another core only for a batch. An actor that becomes runnable
// from outside its dispatcher goes onto the dispatcher's inbox, a stack that any thread pushes with one
// compare-and-swap and a worker takes whole.
//
// Park and wake. Who pushes onto an empty inbox looks for a sleeper and wakes it; who pushes onto a full one need not,
// because the first pusher will. A worker that found nothing announces itself in `sleepers`, looks at the inbox again,
// and only then sleeps. Push and announcement are sequentially consistent read-modify-writes, each followed by a
// sequentially consistent load of the other's word: in their single order one of the two comes first, so either the
// pusher sees the sleeper or the sleeper sees the push. (A membarrier on the sleeper's side would allow the pusher a
// plain store; its push is a read-modify-write in any case, so nothing would be saved.)
//
// Who runs what. A worker keeps what it makes runnable, for that costs no atomic and no other core. Pace says when it is
// better to wake a neighbour. And should a handler not end, the attendant moves what waits behind it to the neighbours,
// within two of its looks.
#pragma once

#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include <troupe/core/atomic.hpp>
#include <troupe/runtime/executor.hpp>
#include <troupe/runtime/inbox.hpp>

namespace troupe {

class Threads final : public SystemExecutor {
 public:
  explicit Threads(std::vector<DispatcherOptions> dispatchers);
  ~Threads() override;

  Clock& clock() noexcept override;
  std::uint16_t workers() const noexcept override { return static_cast<std::uint16_t>(threads_.size()); }
  void begin(Kernel& kernel) noexcept override;
  void end() noexcept override;
  Worker& first_worker() noexcept override;
  bool wait(Atomic<std::uint32_t>& word, Instant until) noexcept override;
  bool may_block() const noexcept override { return true; }
  bool has_threads() const noexcept override { return true; }
  void relieve(Worker& held_up) noexcept override;
  void each_worker(const std::function<void(Worker&, const DispatcherOptions&)>& visit) override;

  bool refill(Memory& memory, SizeClass size_class) noexcept override;
  void surplus(Memory& memory, SizeClass size_class) noexcept override;
  void share(Worker& worker) noexcept override;
  bool park(Worker& worker, Instant until) noexcept override;
  void wake(Worker& from, Cell& cell) noexcept override;

 private:
  struct Dispatcher;
  struct Thread;

  void loop(Thread& thread);
  std::uint32_t run_batch(Thread& thread);
  void take_inbox(Thread& thread) noexcept;
  void wake_sleeper(Dispatcher& dispatcher) noexcept;
  static void wake_worker(Thread& thread) noexcept;
  [[nodiscard]] Thread& thread_of(Worker& worker) noexcept { return *threads_[worker.index]; }

  std::vector<std::unique_ptr<Dispatcher>> dispatchers_;
  std::vector<std::unique_ptr<Thread>> threads_;
  Atomic<bool> ending_{false};
  Atomic<std::uint32_t> waking_{0};  // threads that are about to wake a worker: parkings are the user's and may go then
};

}  // namespace troupe
