// StaticSystem: actors on a device, in memory that is known when the program is linked.
//
//   StaticSystem<Limits{.actors = 8, .messages = 32}> system(clock);
//   auto blinker = system.spawn<Blinker>(pin);
//   for (;;) sleep_until(system.pump());
//
// The same actor classes run here and in the runtime's System. Exhausting a limit is an error value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <troupe/core/alarm.hpp>
#include <troupe/core/cut.hpp>
#include <troupe/core/props.hpp>
#include <troupe/core/synchronous.hpp>

namespace troupe {

struct Limits {
  std::size_t actors = 8;
  std::size_t state_bytes = 64;  // of an actor, on average
  std::size_t sides = 8;         // actors with children, timers, watches, names or policies
  std::size_t messages = 32;
  std::size_t message_bytes = 64;
  std::size_t frames = 8;  // handlers that wait
  std::size_t frame_bytes = 512;

  [[nodiscard]] constexpr std::size_t arena_bytes() const noexcept {
    constexpr std::size_t system = 2048;  // guardian and types
    const std::size_t message = block_bytes(size_class_of(sizeof(Envelope) + message_bytes));
    return system + actors * (cell_header + state_bytes + block_unit) + (sides + 1) * sizeof(Side) +
           messages * message + frames * block_bytes(size_class_of(frame_bytes));
  }
};

// Hears nothing unless the program gives an EventSink of its own.
class NoEvents final : public EventSink {
 public:
  void publish(const Event&) noexcept override {}
};

template <Limits limits>
class StaticSystem {
 public:
  explicit StaticSystem(Clock& clock, const KernelOptions& options = {}) noexcept
      : StaticSystem(clock, no_events_, options) {}
  StaticSystem(Clock& clock, EventSink& events, const KernelOptions& options = {}) noexcept
      : arena_(memory_, sizeof(memory_)),
        executor_(arena_, clock),
        kernel_(0, executor_, clock, events, nullptr, without_block(options), 1) {
    executor_.serve(kernel_);
    current_worker = &executor_.worker();
    open_ = kernel_.open(executor_.worker());
  }
  StaticSystem(const StaticSystem&) = delete;
  StaticSystem& operator=(const StaticSystem&) = delete;

  // What is still there goes as in a power failure: a device's system ends with its power. Stop actors before that if
  // their hooks matter.
  ~StaticSystem() {
    Worker& worker = executor_.worker();
    current_worker = &worker;
    worker.system.store(Worker::no_system, order::relaxed);
    worker.muted = true;
    if (open_) {
      life::cut_all(worker, kernel_);
      alarms::discard_all(worker);
      kernel_.close(worker);
      kernel_.forget_types(worker);
    }
    current_worker = &nobody;
  }

  template <class A, class... Arguments>
  [[nodiscard]] Result<Ref<A>> spawn(Arguments&&... arguments) {
    if (!open_) return Error{Code::exhausted, "the limits leave no memory for the system itself"};
    auto spawned =
        detail::spawn_plainly<A>(executor_.worker(), kernel_.guardian(), std::forward<Arguments>(arguments)...);
    if (!spawned.has_value()) return std::unexpected<Error>(std::move(spawned.error()));
    return Ref<A>(*spawned);
  }
  template <class A, class Mailbox>
  [[nodiscard]] Result<Ref<A>> spawn(Props<A, Mailbox> props) {
    static_assert(!std::is_same_v<Mailbox, BlockingMailbox>,
                  "Overflow::block needs senders that can wait, and a StaticSystem has none: use Overflow::reject");
    if (!open_) return Error{Code::exhausted, "the limits leave no memory for the system itself"};
    return std::move(props).spawn(executor_.worker(), kernel_.guardian());
  }

  // Runs until nothing is ready; returns when the next timer is due.
  Instant pump() { return executor_.pump(); }
  bool step() { return executor_.step(); }

  [[nodiscard]] const Counters& counters() noexcept { return executor_.worker().counters; }
  [[nodiscard]] std::size_t memory_left() const noexcept { return arena_.left(); }
  [[nodiscard]] Kernel& kernel() noexcept { return kernel_; }

 private:
  static KernelOptions without_block(KernelOptions options) noexcept {
    options.may_block = false;
    return options;
  }

  alignas(block_unit) std::byte memory_[limits.arena_bytes()];
  NoEvents no_events_;
  Arena arena_;
  Synchronous executor_;
  Kernel kernel_;
  bool open_ = false;
};

}  // namespace troupe
