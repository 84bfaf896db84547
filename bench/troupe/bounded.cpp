#include <atomic>

#include "counter.hpp"

namespace {

class Receiver {
 public:
  Receiver(std::atomic<std::uint64_t>& handled) : handled_(handled) {}
  void on(const Increment& increment) {
    handled_.store(handled_.load(std::memory_order_relaxed) + increment.by, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t>& handled_;
};

struct More {};

// Twice what the mailbox holds, then it lets others run.
struct Hasty {
  std::latch& over;
  troupe::Ref<Receiver> receiver;
  std::uint64_t left;

  void on(const More&, troupe::Context& context) {
    for (int i = 0; i < 128 && left > 0; ++i, --left) receiver.tell<Increment>(1u);
    if (left == 0) return over.count_down();
    context.self(this).tell<More>();
  }
};

Measured lossy(const Run& run, troupe::Overflow overflow) {
  troupe::System system(with_workers(run.workers));
  std::atomic<std::uint64_t> handled = 0;
  const auto lost = [&] {
    const auto figures = system.figures().messages;
    return figures.rejected + figures.dropped;
  };
  std::uint64_t offered = 0;
  std::uint64_t lost_before = 0;
  Measured measured = warmed_up(run, [&](std::uint64_t messages) {
    offered += messages;
    lost_before = lost();
    std::latch over(1);
    const auto receiver =
        system.spawn(troupe::Props<Receiver>(std::ref(handled)).mailbox(troupe::bounded(64, overflow))).value();
    system.spawn<Hasty>(std::ref(over), receiver, messages).tell<More>();
    over.wait();
    while (handled + lost() != offered) {
    }
  });
  measured.lost = static_cast<std::int64_t>(lost() - lost_before);
  return measured;
}

}  // namespace

Measured bounded_reject(const Run& run) { return lossy(run, troupe::Overflow::reject); }
Measured bounded_drop_oldest(const Run& run) { return lossy(run, troupe::Overflow::drop_oldest); }
Measured bounded_block(const Run& run) { return flood({run.workers, true, run.messages}, 1); }
