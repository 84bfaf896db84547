#include <atomic>

#include "case.hpp"

namespace {

struct Work {
  std::uint64_t number;
};
struct Create {
  std::uint64_t children;
};
struct AllWorked {};

// Ends itself, and with itself its children.
class Nursery {
 public:
  Nursery(std::latch& over) : over_(over) {}
  ~Nursery() { over_.count_down(); }
  Nursery(const Nursery&) = delete;
  Nursery& operator=(const Nursery&) = delete;

  void on(const Create& create, troupe::Context& context);
  void on(const AllWorked&, troupe::Context& context) { context.stop(); }

 private:
  std::latch& over_;
  std::atomic<std::uint64_t> left_{0};
};

class Child {
 public:
  Child(troupe::Ref<Nursery> nursery, std::atomic<std::uint64_t>& left) : nursery_(nursery), left_(left) {}
  void on(const Work& work) {
    sum_ += work.number;
    if (left_.fetch_sub(1, std::memory_order_relaxed) == 1) nursery_.tell<AllWorked>();
  }

 private:
  troupe::Ref<Nursery> nursery_;
  std::atomic<std::uint64_t>& left_;
  std::uint64_t sum_ = 0;
};

void Nursery::on(const Create& create, troupe::Context& context) {
  left_ = create.children;
  const auto self = context.self(this);
  for (std::uint64_t i = 0; i < create.children; ++i) context.spawn<Child>(self, std::ref(left_)).tell<Work>(i);
}

// One after the other.
struct Brief {
  void on(const Work&, troupe::Context& context) { context.stop(); }
};

class Midwife {
 public:
  Midwife(std::latch& over, std::uint64_t children) : over_(over), left_(children) {}
  void on(const Work& work, troupe::Context& context) {
    const auto child = context.spawn<Brief>();
    (void)context.watch(child);
    child.tell<Work>(work.number);
  }
  void on(const troupe::Terminated&, troupe::Context& context) {
    if (--left_ == 0) {
      over_.count_down();
    } else {
      on(Work{left_}, context);
    }
  }

 private:
  std::latch& over_;
  std::uint64_t left_;
};

}  // namespace

Measured create(const Run& run) {
  constexpr std::uint64_t at_once = 200'000;
  troupe::System system(with_workers(run.workers));
  const auto round = [&] {
    std::latch over(1);
    system.spawn<Nursery>(std::ref(over)).tell<Create>(at_once);
    over.wait();
  };
  round();
  const Stopwatch watch;
  const std::uint64_t rounds = run.messages / at_once + 1;
  for (std::uint64_t i = 0; i < rounds; ++i) round();
  return {.messages = rounds * at_once, .ns = watch.ns()};
}

Measured create_one(const Run& run) {
  troupe::System system(with_workers(run.workers));
  return warmed_up(run, [&](std::uint64_t messages) {
    std::latch over(1);
    system.spawn<Midwife>(std::ref(over), messages).tell<Work>(messages);
    over.wait();
  });
}
