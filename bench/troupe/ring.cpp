#include "case.hpp"

namespace {

struct Token {
  std::uint64_t hops_left;
};
struct Close {
  troupe::Ref<struct Link> next;
};

struct Link {
  std::latch& over;
  troupe::Ref<Link> next;

  void on(const Close& close) { next = close.next; }
  void on(const Token& token) {
    if (token.hops_left == 0) {
      over.count_down();
    } else {
      next.tell<Token>(token.hops_left - 1);
    }
  }
};

}  // namespace

Measured ring(const Run& run) {
  troupe::System system(with_workers(run.workers));
  return warmed_up(run, [&](std::uint64_t messages) {
    std::latch over(1);
    const auto last = system.spawn<Link>(std::ref(over));
    auto first = last;
    for (int i = 1; i < 503; ++i) first = system.spawn<Link>(std::ref(over), first);
    last.tell<Close>(first);
    first.tell<Token>(messages);
    over.wait();
  });
}
