// The kinds of protocol that Troupe is made of, right and wrong, in a few lines each.
#include <array>

#include <tests/interleave/expect.hpp>
#include <troupe/core/atomic.hpp>

namespace troupe::interleave {
namespace {

TEST(InterleaveCheckerProtocol, an_update_of_load_and_store_gets_lost) {
  const auto count_to_two = [](bool atomically) {
    return explore({}, [=](Scenario& scenario) {
      auto& counter = scenario.make<Atomic<unsigned>>(0u);
      name(counter, "counter");
      for (int i = 0; i < 2; ++i) {
        scenario.thread("adder", [&counter, atomically] {
          if (atomically) {
            counter.fetch_add(1, order::relaxed);
          } else {
            counter.store(counter.load(order::relaxed) + 1, order::relaxed);
          }
        });
      }
      scenario.finally([&counter] { require(counter.load() == 2, "lost an update"); });
    });
  };
  EXPECT_TRUE(holds(count_to_two(true)));
  EXPECT_TRUE(fails(count_to_two(false), "lost an update"));
}

// mailbox.md, rule 10: an owner that stores how far it is and then looks for a waiter misses the waiter who
// announces itself and then looks how far the owner is. (Measured: 818 in 2 million.)
TEST(InterleaveCheckerProtocol, a_waiter_flag_beside_a_plain_store_misses_wake_ups) {
  struct Owner {
    Atomic<unsigned> handled{0};
    Atomic<unsigned> waiter{0};
  };
  const auto hand_over = [](bool plain_store) {
    return explore({}, [=](Scenario& scenario) {
      auto& owner = scenario.make<Owner>();
      name(owner.handled, "handled");
      name(owner.waiter, "waiter");
      scenario.thread("owner", [&owner, plain_store] {
        if (plain_store) {
          owner.handled.store(1, order::release);
        } else {
          owner.handled.exchange(1, order::acq_rel);
        }
        if (owner.waiter.load(order::relaxed) == 1) {
          owner.waiter.store(0);
          wake(owner.waiter);
        }
      });
      scenario.thread("waiter", [&owner] {
        owner.waiter.exchange(1);
        if (owner.handled.load(order::relaxed) == 0) wait(owner.waiter, 1);
      });
    });
  };
  EXPECT_TRUE(fails(hand_over(true), "deadlock"));
  EXPECT_TRUE(holds(hand_over(false)));
}

struct Worker {
  Atomic<unsigned> inbox{0};
  Atomic<unsigned> parked{0};
};

enum class Push { plain, update };

// The sleeper announces that it parks, looks once more and sleeps; who pushes looks whether it has to wake.
Exploration park_and_wake(Push push, bool barrier, const Options& options = {}) {
  return explore(options, [=](Scenario& scenario) {
    auto& worker = scenario.make<Worker>();
    name(worker.inbox, "inbox");
    name(worker.parked, "parked");
    scenario.thread("worker", [&worker, barrier] {
      for (;;) {
        if (worker.inbox.load(order::acquire) != 0) return;
        worker.parked.fetch_or(1, order::acq_rel);
        if (barrier) membarrier();
        if (worker.inbox.load(order::acquire) != 0) return;
        wait(worker.parked, 1);
      }
    });
    scenario.thread("sender", [&worker, push] {
      if (push == Push::plain) {
        worker.inbox.store(1, order::release);
      } else {
        worker.inbox.exchange(1, order::acq_rel);
      }
      if (worker.parked.load(order::relaxed) == 1) {
        worker.parked.store(0);
        wake(worker.parked);
      }
    });
  });
}

TEST(InterleaveCheckerProtocol, a_plain_push_needs_the_sleeper_to_use_membarrier) {
  EXPECT_TRUE(fails(park_and_wake(Push::plain, false), "deadlock"));
  EXPECT_TRUE(holds(park_and_wake(Push::plain, true)));
  EXPECT_TRUE(holds(park_and_wake(Push::plain, true, {.reduce = false})));
}

TEST(InterleaveCheckerProtocol, a_push_by_read_modify_write_does_not_need_it_on_x86) {
  EXPECT_TRUE(holds(park_and_wake(Push::update, false)));
  EXPECT_TRUE(holds(park_and_wake(Push::update, true)));
}

// A stack of nodes that are used again. Whoever reads `head->next` and then swaps relies on the head being
// the same node, which it may be although everything below it has changed.
struct Stack {
  struct Node {
    Atomic<Node*> next{nullptr};
    Atomic<unsigned> owners{0};
  };
  Atomic<Node*> head{nullptr};
  std::array<Node, 2> nodes;

  Stack() {
    for (Node& node : nodes) push(node);
  }
  void push(Node& node) {
    Node* head_seen = head.load(order::relaxed);
    do {
      node.next.store(head_seen, order::relaxed);
    } while (!head.compare_exchange_weak(head_seen, &node, order::release, order::relaxed));
  }
  Node* pop() {
    Node* head_seen = head.load(order::acquire);
    while (head_seen != nullptr) {
      Node* next = head_seen->next.load(order::relaxed);
      if (head.compare_exchange_weak(head_seen, next, order::acquire, order::acquire)) break;
    }
    return head_seen;
  }
};

TEST(InterleaveCheckerProtocol, a_stack_that_reuses_nodes_suffers_from_aba) {
  const auto use = [](unsigned preemptions) {
    return explore({.preemptions = preemptions}, [](Scenario& scenario) {
      auto& stack = scenario.make<Stack>();
      name(stack.head, "head");
      name(stack.nodes[0], "first");
      name(stack.nodes[1], "second");
      const auto take = [&stack] {
        Stack::Node* node = stack.pop();
        if (node != nullptr) require(node->owners.fetch_add(1) == 0, "one node has two owners");
        return node;
      };
      scenario.thread("one", [take] {
        take();
        take();
      });
      scenario.thread("two", [take, &stack] {
        Stack::Node* first = take();
        take();
        if (first == nullptr) return;
        first->owners.fetch_sub(1);
        stack.push(*first);
      });
    });
  };
  EXPECT_TRUE(holds(use(0)));
  EXPECT_TRUE(fails(use(3), "one node has two owners"));
}

// Two who wait for a lock pass the turn to each other; the holder must get it at last.
TEST(InterleaveCheckerProtocol, a_spin_lock_keeps_three_threads_apart) {
  const auto lock_and_count = [](bool locked) {
    return explore({.preemptions = 2}, [=](Scenario& scenario) {
      struct Guarded {
        Atomic<bool> lock{false};
        unsigned inside = 0;
        unsigned entered = 0;
      };
      auto& guarded = scenario.make<Guarded>();
      for (int i = 0; i < 3; ++i) {
        scenario.thread("thread", [&guarded, locked] {
          while (locked && guarded.lock.exchange(true, order::acquire)) spin_pause();
          require(guarded.inside++ == 0, "two inside");
          step();  // there is nothing atomic inside: let the others try
          --guarded.inside;
          ++guarded.entered;
          if (locked) guarded.lock.store(false, order::release);
        });
      }
      scenario.finally([&guarded] { require(guarded.entered == 3, "all entered"); });
    });
  };
  EXPECT_TRUE(holds(lock_and_count(true)));
  EXPECT_TRUE(fails(lock_and_count(false), "two inside"));
}

}  // namespace
}  // namespace troupe::interleave
