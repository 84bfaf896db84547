// A guest takes over what waits behind a worker that is held up, while that worker goes on after all.
#include <array>

#include <tests/interleave/crew.hpp>
#include <tests/interleave/expect.hpp>
#include <troupe/core/alarm.hpp>
#include <troupe/core/context.hpp>
#include <troupe/core/timer.hpp>

namespace troupe::interleave {
namespace {

// A ready queue as a worker has it.
struct Queue {
  Queue() {
    name(lock, "lock");
    name(runs, "runs");
  }
  void push(Cell& cell) {
    const Owning owning(lock);
    occupied("the owner pushes while a guest is inside");
    ready.push(&cell);
    vacated();
  }
  void run_all() {
    for (;;) {
      lock.lock();
      occupied("the owner pops while a guest is inside");
      const Cell* cell = ready.pop();
      vacated();
      lock.unlock();
      if (cell == nullptr) return;
      runs.fetch_add(1);
    }
  }
  template <class Barrier>
  void relieve(Barrier barrier) {
    if (!lock.enter(barrier)) return;
    occupied("a guest is inside with the owner");
    for (const Cell* cell = ready.take(); cell != nullptr; cell = cell->next_ready) runs.fetch_add(1);
    vacated();
    lock.leave();
  }
  void occupied(const char* text) {
    require(!busy, text);
    busy = true;
    step();
  }
  void vacated() { busy = false; }

  OwnerLock lock;
  ReadyQueue ready;
  bool busy = false;
  Atomic<unsigned> runs{0};
  std::array<Cell, 2> cells;
};

template <class Barrier>
Exploration explore_relief(Barrier barrier, bool weak) {
  return explore({.weak_stores = weak}, [barrier](Scenario& scenario) {
    auto& queue = scenario.make<Queue>();
    scenario.thread("owner", [&queue] {
      queue.push(queue.cells[0]);
      queue.push(queue.cells[1]);
      queue.run_all();
    });
    scenario.thread("guest", [&queue, barrier] { queue.relieve(barrier); });
    scenario.finally([&queue] { require(queue.runs.load() == 2, "each actor runs once"); });
  });
}

TEST(InterleaveRelief, an_owner_and_a_guest_are_never_both_inside) {
  EXPECT_TRUE(holds(explore_relief(membarrier, false)));
  EXPECT_TRUE(holds(explore_relief(membarrier, true)));
}

TEST(InterleaveRelief, without_the_barrier_they_would_be) {
  EXPECT_TRUE(fails(explore_relief([] {}, false), "inside"));
}

struct Payload {
  explicit Payload(int* count) noexcept : alive(count) { ++*alive; }
  Payload(Payload&& other) noexcept : Payload(other.alive) {}
  Payload(const Payload&) = delete;
  Payload& operator=(const Payload&) = delete;
  Payload& operator=(Payload&&) = delete;
  ~Payload() { --*alive; }
  int* alive;
};
struct Arm {};
struct Cancel {};
struct Ring {
  Payload payload;
};
struct Sleeper {
  int* alive;
  int* rings;
  void on(const Arm&, Context& context) {
    (void)context.after(this, Duration::zero(), Ring{Payload(alive)}, TimerKey(1));
  }
  void on(const Cancel&, Context& context) { context.cancel(TimerKey(1)); }
  void on(const Ring&) { ++*rings; }
};

// The same alarm is cancelled by its actor, fired by its worker and fired by a guest, all at once.
TEST(InterleaveRelief, an_alarm_is_fired_once_or_cancelled_and_never_lost) {
  for (const bool cancels_at_home : {true, false}) {
    EXPECT_TRUE(holds(explore({}, [cancels_at_home](Scenario& scenario) {
      struct Bedroom {
        explicit Bedroom(Scenario& scenario) : crew(scenario, {}, Crew::Guests::some) {
          sleeper = crew.spawn(Props<Sleeper>(&alive, &rings));
          crew.settle();
          sleeper.tell<Arm>();
          crew.settle();
          crew.know(scenario, sleeper.cell());
          require(alive == 1, "a timer is armed");
        }
        int alive = 0;
        int rings = 0;
        Crew crew;
        Ref<Sleeper> sleeper;
      };
      auto& room = scenario.make<Bedroom>(scenario);
      Worker& home = room.crew.worker(0);
      scenario.thread("actor", [&room, cancels_at_home] {
        room.crew.enter(cancels_at_home ? 0 : 2);
        room.sleeper.tell<Cancel>();
        while (room.crew.run_ready()) {
        }
      });
      scenario.thread("guest", [&room, &home] {
        room.crew.enter(1);
        alarms::Due due;
        if (!home.lock.enter(membarrier)) return;
        alarms::take_due(home, room.crew.kernel().clock().now(), due);
        home.lock.leave();
        for (unsigned i = 0; i < due.count; ++i) alarms::fire(room.crew.worker(1), *due.alarms[i]);
      });
      scenario.finally([&room, &home] {
        room.crew.settle();
        home.now = room.crew.kernel().clock().now();
        alarms::fire_due(home);
        room.crew.settle();
        require(room.rings <= 1, "it rings at most once");
        require(room.alive == 0, "its message is destroyed");
        require(room.crew.law_holds(), "no message without a fate");
      });
    })));
  }
}

}  // namespace
}  // namespace troupe::interleave
