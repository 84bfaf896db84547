// Uses every feature of core, as a device would. Built without exceptions and RTTI, its symbols are looked at: nothing
// here may need a heap, a thread, an unwinder or a clock.
#include <troupe/core/adapter.hpp>
#include <troupe/core/behaviour.hpp>
#include <troupe/core/children.hpp>
#include <troupe/core/completion.hpp>
#include <troupe/core/protocol.hpp>
#include <troupe/core/static_system.hpp>
#include <troupe/core/timer.hpp>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

// A device counts ticks of a timer; here they are counted by hand.
class TickClock final : public Clock {
 public:
  Instant now() noexcept override { return now_; }
  std::chrono::sys_time<Duration> wall() noexcept override { return {}; }
  void set(Instant now) noexcept { now_ = now; }

 private:
  Instant now_ = 0;
};

class CountEvents final : public EventSink {
 public:
  CountEvents() noexcept { interest_.store(~std::uint32_t{0}); }
  void publish(const Event&) noexcept override { ++events_; }
  [[nodiscard]] int events() const noexcept { return events_; }

 private:
  int events_ = 0;
};

class Gatekeeper final : public Middleware {
 public:
  Result<void> before(const Passing&) noexcept override { return {}; }
  void after(const Passing&) noexcept override { ++passed; }
  int passed = 0;
};

struct Read {};
struct Celsius {
  int degrees;
};
struct Fahrenheit {
  int degrees;
};
struct Fail {};
struct Tick {};
struct Later {};
struct Answer {};
struct Run {};

struct Sensor {
  int value = 20;
  int failures = 0;
  Reply<int> kept;

  int on(const Read&) { return value; }
  void on(const Celsius& celsius) { value = celsius.degrees; }
  Result<int> on(const Fail&) { return Error{Code::failed, "sensor broken"}; }
  Kept<int> on(const Later&, Context& context) { return context.keep(kept); }
  void on(const Answer&) { kept(7); }
  Result<void> on(const Started&) { return {}; }
  void on(const Restarting&) { ++failures; }
  void on(const Stopping&) {}
};

struct Open;
struct Closed {
  using Actor = OneOf<Closed, Open>;
  using deferred = Messages<Tick>;
  int on(const Read&, Context& context);
};
struct Open {
  using Actor = OneOf<Closed, Open>;
  int on(const Read&) { return 1; }
  void on(const Tick&) {}
};
int Closed::on(const Read&, Context& context) {
  (void)context.become(Open{});
  return 0;
}

struct Controller {
  Ref<Sensor> sensor;
  Ref<OneOf<Closed, Open>> door;
  int sum = 0;
  int ticks = 0;
  int ended = 0;
  bool put_aside = false;

  Task<int> read() {
    auto value = co_await sensor.ask<Read>();
    co_return value;
  }
  Task<void> on(const Run&, Context& context) {
    auto child = context.spawn<Sensor>();
    (void)context.watch(child);
    sum += static_cast<int>(context.children<Sensor>().tell(Celsius{30}).accepted);
    auto value = co_await read();
    sum += value;
    auto failed = co_await as_result(sensor.ask<Fail>());
    sum += failed.has_value() ? 1000 : 1;
    auto late = co_await as_result(sensor.ask<Later>().within(5ms));
    sum += late.has_value() ? 1000 : 1;
    Completion<int> done;
    auto token = done.token();
    token(2);
    auto completed = co_await done;
    sum += completed;
    auto shut = co_await door.ask<Read>();
    auto opened = co_await door.ask<Read>();
    sum += shut + opened;
    (void)door.tell<Tick>();
    (void)context.every(this, 10ms, Tick{}, TimerKey(1));
    (void)context.after(this, 15ms, Later{});
    child.stop();
  }
  void on(const Tick&, Context& context) {
    if (++ticks == 3) context.cancel(TimerKey(1));
  }
  void on(const Later&, Context& context) {
    if (!put_aside) {
      put_aside = true;
      (void)context.stash();
      (void)context.after(this, 5ms, Answer{});
    } else {
      sum += 100;
    }
  }
  void on(const Answer&, Context& context) { context.unstash(); }
  void on(const Terminated&) { ++ended; }
  void on(const ChildFailed&) {}
};

constexpr auto to_celsius = [](const Fahrenheit& warm) { return Celsius{(warm.degrees - 32) * 5 / 9}; };

TickClock ticks;
CountEvents events;
Gatekeeper gatekeeper;

}  // namespace

int main() {
  static StaticSystem<Limits{.actors = 16, .sides = 16, .messages = 64, .frames = 16}> system(ticks, events);
  auto sensor = system.spawn(Props<Sensor>()
                                 .mailbox(bounded(4, Overflow::drop_oldest))
                                 .on_failure(one_for_one().at_most(3, 60s))
                                 .on_start_failure(retry_start())
                                 .stop_within(1s)
                                 .through(gatekeeper));
  auto door = system.spawn<OneOf<Closed, Open>>();
  if (!sensor.has_value() || !door.has_value()) return 1;
  auto controller = system.spawn(Props<Controller>(*sensor, *door).reentrant(1).stash(4));
  if (!controller.has_value()) return 2;
  (void)controller->tell<Run>();
  for (Instant due = system.pump(); due < 200'000'000; due = system.pump()) ticks.set(due);
  const Ref<Protocol<int(Read), void(Celsius)>> wide = *sensor;
  const Ref<Protocol<int(Read)>> narrow = wide;
  if (!narrow) return 3;
  (void)adapted<Fahrenheit, to_celsius>(*sensor).tell<Fahrenheit>(212);
  (void)sensor->tell_high<Celsius>(5);
  sensor->suspend();
  sensor->resume();
  (void)system.pump();
  controller->stop();
  sensor->drain();
  (void)system.pump();
  return sensor->tell<Celsius>(1).fate() == Fate::stopped && gatekeeper.passed > 0 && events.events() > 0 ? 0 : 4;
}
