// Crew: a real kernel, real workers and real actors, with the threads of a scenario in place of an
// executor's.
//
//   auto& crew = scenario.make<Crew>(scenario);
//   auto clerk = crew.spawn(Props<Clerk>(&log).mailbox(bounded(1)));    // set-up: spawned and started
//   scenario.thread("sender", [&, clerk] { crew.enter(1); clerk.tell<Note>(7); });
//   scenario.thread("owner", [&] { crew.enter(0); crew.run_ready(); });
//   scenario.finally([&] { crew.settle(); require(…); });
//
// Actors that become runnable lie in one shared inbox, as those of outside senders do, until a thread of the
// crew runs them. Nobody sleeps: after the threads have ended, `settle` runs all that is ready. A lost
// wake-up shows as a message without a fate.
#pragma once

#include <array>
#include <cstddef>

#include <tests/interleave/checker.hpp>
#include <troupe/core/kernel.hpp>
#include <troupe/core/props.hpp>
#include <troupe/core/ref.hpp>
#include <troupe/core/synchronous.hpp>
#include <troupe/core/turn.hpp>

namespace troupe::interleave {

class Crew final : public Executor {
 public:
  static constexpr unsigned size = 4;

  // With guests, the queue and the wheel of one worker are open to another one.
  enum class Guests : std::uint8_t { none, some };

  explicit Crew(Scenario& scenario, const KernelOptions& options = {}, Guests guests = Guests::none)
      : kernel_(1, *this, clock_, events_, nullptr, options, size) {
    scenario.per_thread(current_worker);
    for (unsigned i = 0; i < size; ++i) {
      Worker& worker = workers_[i];
      worker.kernel = &kernel_;
      worker.system.store(kernel_.number());
      worker.index = static_cast<std::uint16_t>(i);
      if (guests == Guests::none) {
        scenario.unshared(worker);
      } else {
        scenario.unshared(worker.counters);
        scenario.unshared(worker.turns);
        scenario.unshared(worker.current);
        scenario.unshared(worker.current_cell);
        scenario.constant(worker.system);
        name(worker.lock, "lock");
      }
    }
    scenario.constant(events_);
    name(inbox_, "inbox");
    enter(0);
    require(kernel_.open(workers_[0]), "the kernel opens");
  }
  ~Crew() { current_worker = &nobody; }

  // The calling thread becomes this worker. Each has memory of its own, so that addresses do not depend on
  // the schedule.
  void enter(unsigned index) noexcept { current_worker = &workers_[index]; }
  [[nodiscard]] Worker& worker(unsigned index) noexcept { return workers_[index]; }

  // The calling thread spawns a root.
  template <class A, class Mailbox>
  Ref<A> spawn(Props<A, Mailbox> props) {
    auto spawned = std::move(props).spawn(*current_worker, kernel_.guardian());
    require(spawned.has_value(), "spawned");
    return *spawned;
  }

  // In set-up: names the actor's words for the timeline, and tells which of them only one thread uses.
  void know(Scenario& scenario, CellRef actor) {
    Cell& cell = *actor.cell;
    name(cell, "cell");
    name(cell.word, "word");
    name(cell.released, "released");
    name(cell.limit, "limit");
    name(cell.generation, "generation");
    name(cell.orders, "orders");
    name(cell.report, "report");
    if (Side* side = cell.side.load()) name(*side, "side");
    for (unsigned i = 0; i < size; ++i) scenario.unshared(cell.type.load()->counters[i]);
  }

  // Runs each actor that is ready now, and those that they make ready here.
  bool run_ready() {
    Cell* newest = inbox_.exchange(nullptr, order::acquire);
    Cell* oldest = nullptr;
    while (newest != nullptr) {
      Cell* next = newest->next_ready;
      newest->next_ready = oldest;
      oldest = newest;
      newest = next;
    }
    const bool any = oldest != nullptr;
    while (oldest != nullptr) {
      Cell* next = oldest->next_ready;
      turns::run(*current_worker, *oldest, current_worker->messages_per_turn);
      oldest = next;
    }
    return any;
  }

  // In set-up and final check: until nothing is ready.
  void settle() {
    enter(0);
    while (run_ready()) {
    }
  }

  // Over all workers.
  [[nodiscard]] std::uint64_t sum(Counter Counters::* counter) const noexcept {
    std::uint64_t sum = 0;
    for (const Worker& worker : workers_) sum += (worker.counters.*counter).value();
    return sum;
  }
  // No message without a fate, once nothing is queued.
  [[nodiscard]] bool law_holds() const noexcept {
    return sum(&Counters::sent) ==
           sum(&Counters::handled) + sum(&Counters::rejected) + sum(&Counters::dropped) + sum(&Counters::dead);
  }
  [[nodiscard]] Kernel& kernel() noexcept { return kernel_; }

  bool refill(Memory& memory, SizeClass size_class) noexcept override {
    for (unsigned i = 0; i < size; ++i) {
      if (&memory == &workers_[i]) return carve_block(arenas_[i], memory, size_class);
    }
    return false;
  }
  void surplus(Memory&, SizeClass) noexcept override {}
  void share(Worker&) noexcept override {}
  bool park(Worker&, Instant) noexcept override { return false; }
  void wake(Worker&, Cell& cell) noexcept override {
    Cell* first = inbox_.load(order::relaxed);
    do {
      cell.next_ready = first;
    } while (!inbox_.compare_exchange_weak(first, &cell, order::release, order::relaxed));
  }

 private:
  class StoppedClock final : public Clock {
   public:
    [[nodiscard]] Instant now() noexcept override { return 1'000'000'000; }
    [[nodiscard]] std::chrono::sys_time<Duration> wall() noexcept override { return {}; }
  };
  class NoEvents final : public EventSink {
   public:
    void publish(const Event&) noexcept override {}
  };

  static constexpr std::size_t arena_bytes = 8 * 1024;

  StoppedClock clock_;
  NoEvents events_;
  alignas(64) std::array<std::array<std::byte, arena_bytes>, size> memory_;
  std::array<Arena, size> arenas_{Arena{memory_[0].data(), arena_bytes}, Arena{memory_[1].data(), arena_bytes},
                                  Arena{memory_[2].data(), arena_bytes}, Arena{memory_[3].data(), arena_bytes}};
  std::array<Wheel, size> wheels_{Wheel{clock_.now()}, Wheel{clock_.now()}, Wheel{clock_.now()}, Wheel{clock_.now()}};
  std::array<Worker, size> workers_{
      Worker{*this, nullptr, Worker::no_system, &wheels_[0]}, Worker{*this, nullptr, Worker::no_system, &wheels_[1]},
      Worker{*this, nullptr, Worker::no_system, &wheels_[2]}, Worker{*this, nullptr, Worker::no_system, &wheels_[3]}};
  Kernel kernel_;
  Atomic<Cell*> inbox_{nullptr};
};

}  // namespace troupe::interleave
