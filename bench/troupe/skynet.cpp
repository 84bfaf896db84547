#include "case.hpp"

namespace {

struct Grow {
  std::uint64_t first;
  std::uint64_t leaves;
};
struct Sum {
  std::uint64_t of_leaves;
};

class Node {
 public:
  void on(const Grow& grow, troupe::Context& context) {
    if (grow.leaves == 1) {
      answer(grow.first, context);
      return;
    }
    const std::uint64_t part = grow.leaves / 10;
    for (std::uint64_t i = 0; i < 10; ++i) context.spawn<Node>().tell<Grow>(grow.first + i * part, part);
  }
  void on(const Sum& sum, troupe::Context& context) {
    sum_ += sum.of_leaves;
    if (++answers_ == 10) answer(sum_, context);
  }

 private:
  static void answer(std::uint64_t sum, troupe::Context& context);

  std::uint64_t sum_ = 0;
  unsigned answers_ = 0;
};

struct Root {
  std::latch& over;
  std::uint64_t& result;

  void on(const Grow& grow, troupe::Context& context) { context.spawn<Node>().tell<Grow>(grow.first, grow.leaves); }
  void on(const Sum& sum) {
    result = sum.of_leaves;
    over.count_down();
  }
};

void Node::answer(std::uint64_t sum, troupe::Context& context) {
  if (const auto parent = context.parent().as<Node>()) {
    parent.tell<Sum>(sum);
  } else {
    context.parent().as<Root>().tell<Sum>(sum);
  }
  context.stop();
}

}  // namespace

Measured skynet(const Run& run) {
  troupe::System system(with_workers(run.workers));
  const auto tree = [&](std::uint64_t leaves) {
    std::latch over(1);
    std::uint64_t sum = 0;
    system.spawn<Root>(std::ref(over), std::ref(sum)).tell<Grow>(0u, leaves);
    over.wait();
    demand(sum == leaves * (leaves - 1) / 2, "the sum of the leaves is wrong");
  };
  tree(run.messages / 10);
  const Stopwatch watch;
  tree(run.messages);
  return {.messages = run.messages, .ns = watch.ns()};
}
