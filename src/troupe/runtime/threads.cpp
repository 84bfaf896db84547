#include <troupe/runtime/threads.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include <troupe/core/alarm.hpp>
#include <troupe/core/turn.hpp>
#include <troupe/runtime/berth.hpp>
#include <troupe/runtime/depot.hpp>
#include <troupe/runtime/futex.hpp>
#include <troupe/runtime/membarrier.hpp>
#include <troupe/runtime/pace.hpp>
#include <troupe/runtime/system_clock.hpp>

namespace troupe {

struct Threads::Dispatcher {
  DispatcherOptions options;
  Inbox inbox;
  Sleepers sleepers;
  std::vector<Thread*> threads;
};

struct Threads::Thread {
  Thread(Threads& executor, Dispatcher& group, unsigned number, Parking* own)
      : dispatcher(group),
        berth(group.sleepers, number),
        parking(own),
        wheel(SystemClock::shared().now()),
        worker(executor, nullptr, Worker::no_system, &wheel) {}

  Dispatcher& dispatcher;
  Berth berth;
  Parking* parking;
  Wheel wheel;
  Worker worker;
  Pace pace;
  std::thread thread;
};

Threads::Threads(std::vector<DispatcherOptions> dispatchers) {
  for (DispatcherOptions& options : dispatchers) {
    auto dispatcher = std::make_unique<Dispatcher>();
    dispatcher->options = std::move(options);
    const unsigned count = std::clamp(dispatcher->options.threads, 1u, Sleepers::most);
    for (unsigned i = 0; i < count; ++i) {
      Parking* parking = i < dispatcher->options.parking.size() ? dispatcher->options.parking[i] : nullptr;
      auto thread = std::make_unique<Thread>(*this, *dispatcher, i, parking);
      thread->worker.dispatcher = static_cast<std::uint8_t>(dispatchers_.size());
      thread->worker.index = static_cast<std::uint16_t>(threads_.size());
      thread->worker.messages_per_turn = std::max(1u, dispatcher->options.messages_per_turn);
      thread->worker.time_per_turn = dispatcher->options.time_per_turn;
      dispatcher->threads.push_back(thread.get());
      threads_.push_back(std::move(thread));
    }
    dispatchers_.push_back(std::move(dispatcher));
  }
}

Threads::~Threads() {
  for (auto& thread : threads_) Depot::shared().take_all(thread->worker);
}

Clock& Threads::clock() noexcept { return SystemClock::shared(); }
Worker& Threads::first_worker() noexcept { return threads_.front()->worker; }

void Threads::begin(Kernel& kernel) noexcept {
  awake.store(static_cast<std::uint32_t>(threads_.size()), order::seq_cst);
  if (rouse_) rouse_();
  for (auto& thread : threads_) {
    thread->worker.kernel = &kernel;
    thread->worker.system.store(kernel.number(), order::relaxed);
    thread->thread = std::thread([this, own = thread.get()] { loop(*own); });
  }
}

void Threads::end() noexcept {
  ending_.store(true, order::seq_cst);
  for (auto& dispatcher : dispatchers_) {
    for (std::size_t i = 0; i < dispatcher->threads.size(); ++i) wake_sleeper(*dispatcher);
  }
  for (auto& thread : threads_) {
    if (thread->thread.joinable()) thread->thread.join();
  }
  while (waking_.load(order::seq_cst) != 0) std::this_thread::yield();
}

void Threads::each_worker(const std::function<void(Worker&, const DispatcherOptions&)>& visit) {
  for (auto& thread : threads_) visit(thread->worker, thread->dispatcher.options);
}

bool Threads::refill(Memory& memory, SizeClass size_class) noexcept {
  return Depot::shared().refill(memory, size_class);
}
void Threads::surplus(Memory& memory, SizeClass size_class) noexcept { Depot::shared().surplus(memory, size_class); }

void Threads::wake_sleeper(Dispatcher& dispatcher) noexcept {
  if (!dispatcher.sleepers.any()) return;
  waking_.fetch_add(1, order::seq_cst);
  const unsigned position = dispatcher.sleepers.take();
  if (position != Sleepers::most) wake_worker(*dispatcher.threads[position]);
  waking_.fetch_sub(1, order::release);
}

void Threads::wake_worker(Thread& thread) noexcept {
  thread.berth.wake([&thread](Atomic<std::uint32_t>& asleep) {
    if (thread.parking != nullptr) {
      thread.parking->wake();
    } else {
      futex::wake_one(asleep);
    }
  });
}

void Threads::wake(Worker& from, Cell& cell) noexcept {
  Dispatcher& dispatcher = *dispatchers_[cell.dispatcher.load(order::relaxed)];
  stamp_ready(cell, from.inside() ? from.now : clock().now());  // an outside thread has no batches
  if (dispatcher.inbox.push(cell)) wake_sleeper(dispatcher);
}

// More waits than this worker should keep: half of it goes to a neighbour that sleeps.
void Threads::share(Worker& worker) noexcept {
  Dispatcher& dispatcher = thread_of(worker).dispatcher;
  const std::uint32_t waiting = worker.count_ready();
  if (!dispatcher.sleepers.any()) {
    worker.share_above = waiting * 2;  // until the next batch, so that not every push asks
    return;
  }
  bool wake = false;
  for (std::uint32_t given = waiting - waiting / 2; given > 0; --given) {
    Cell* cell = worker.pop_ready();
    if (cell == nullptr) break;  // a guest was faster
    wake = dispatcher.inbox.push(*cell) || wake;
    worker.counters.shared.add();
  }
  if (wake) wake_sleeper(dispatcher);
}

// By the attendant. All that waits behind a handler which does not end goes to the other workers: actors through the
// inbox, and what is due in the wheel to whom it concerns.
void Threads::relieve(Worker& held_up) noexcept {
  Dispatcher& dispatcher = thread_of(held_up).dispatcher;
  if (dispatcher.threads.size() == 1 || !membarrier::available()) return;
  Worker* by = host->door(held_up.system.load(order::relaxed), Host::Errand::control);
  if (by == nullptr) return;
  Cell* cell = nullptr;
  alarms::Due due;
  do {
    if (!held_up.lock.enter(membarrier::everywhere)) break;
    if (cell == nullptr) cell = held_up.ready.take();
    alarms::take_due(held_up, clock().now(), due);
    held_up.lock.leave();
    for (unsigned i = 0; i < due.count; ++i) alarms::fire(*by, *due.alarms[i]);
  } while (due.count == alarms::Due::most);
  bool wake = false;
  while (cell != nullptr) {
    Cell* next = cell->next_ready;
    wake = dispatcher.inbox.push(*cell) || wake;
    held_up.counters.relieved.add();
    cell = next;
  }
  if (wake) wake_sleeper(dispatcher);
}

void Threads::take_inbox(Thread& thread) noexcept {
  std::uint32_t waiting = 0;
  Cell* newest = thread.dispatcher.inbox.take();
  Cell* oldest = nullptr;
  while (newest != nullptr) {
    Cell* next = newest->next_ready;
    newest->next_ready = oldest;
    oldest = newest;
    newest = next;
  }
  while (oldest != nullptr) {
    Cell* next = oldest->next_ready;
    waiting = thread.worker.push_ready(*oldest);
    oldest = next;
  }
  if (waiting > thread.worker.share_above) share(thread.worker);
}

bool Threads::park(Worker& worker, Instant until) noexcept {
  Thread& thread = thread_of(worker);
  Dispatcher& dispatcher = thread.dispatcher;
  const bool sleeps = thread.berth.lie_down([&] { return !dispatcher.inbox.empty() || ending_.load(order::seq_cst); });
  if (!sleeps) return !ending_.load(order::relaxed) || !dispatcher.inbox.empty();
  worker.counters.parks.add();
  awake.fetch_sub(1, order::seq_cst);
  const Instant now = clock().now();
  const Duration limit = until == end_of_time ? std::chrono::hours(1)
                                              : Duration(static_cast<Duration::rep>(until > now ? until - now : 0));
  thread.berth.sleep([&](Atomic<std::uint32_t>& asleep) {
    if (thread.parking != nullptr) {
      thread.parking->park(limit);
    } else {
      futex::wait(asleep, 1, limit);
    }
  });
  awake.fetch_add(1, order::seq_cst);
  if (rouse_) rouse_();
  return true;
}

std::uint32_t Threads::run_batch(Thread& thread) {
  Worker& worker = thread.worker;
  worker.batches.store(worker.batches.load(order::relaxed) + 1, order::relaxed);
  alarms::fire_due(worker);
  take_inbox(thread);
  std::uint32_t runs = 0;
  for (const std::uint32_t most = thread.pace.runs_a_batch(); runs < most && turns::run_next(worker);) ++runs;
  worker.batches.store(worker.batches.load(order::relaxed) + 1, order::relaxed);
  return runs;
}

void Threads::loop(Thread& thread) {
  Worker& worker = thread.worker;
  current_worker = &worker;
  const bool has_neighbours = thread.dispatcher.threads.size() > 1;
  worker.now = clock().now();
  for (;;) {
    if (has_neighbours) worker.share_above = thread.pace.keeps();
    if (const std::uint32_t runs = run_batch(thread); runs > 0) {
      const Instant began = std::exchange(worker.now, clock().now());
      thread.pace.observe(runs, worker.now - began);
      continue;
    }
    if (!park(worker, alarms::next_look(worker))) break;
    worker.now = clock().now();
  }
  current_worker = &nobody;
}

bool Threads::wait(Atomic<std::uint32_t>& word, Instant until) noexcept {
  while (word.load(order::acquire) == 0) {
    const Instant now = clock().now();
    if (now >= until) return false;
    futex::wait(word, 0, Duration(static_cast<Duration::rep>(std::min<Instant>(until - now, 3'600'000'000'000))));
  }
  return true;
}

}  // namespace troupe
