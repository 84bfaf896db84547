#include <random>
#include <vector>

#include "case.hpp"

namespace {

struct Ping {
  std::uint64_t number;
};
struct Pong {
  std::uint64_t number;
};

struct Member {
  std::latch& over;
  const std::vector<troupe::Ref<Member>>& all;
  std::uint64_t left;
  std::uint64_t sum = 0;
  std::minstd_rand dice{static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(this))};

  void on(const Ping& ping, troupe::Context& context) { context.sender().as<Member>().tell<Pong>(ping.number); }
  void on(const Pong& pong) {
    sum += pong.number;
    if (left == 0) return over.count_down();
    all[dice() % all.size()].tell<Ping>(--left);
  }
};

}  // namespace

Measured big(const Run& run) {
  constexpr unsigned members = 120;
  troupe::System system(with_workers(run.workers));
  Measured measured = warmed_up(run, [&](std::uint64_t messages) {
    std::latch over(members);
    std::vector<troupe::Ref<Member>> all;
    all.reserve(members);
    for (unsigned i = 0; i < members; ++i) {
      all.push_back(system
                        .spawn(troupe::Props<Member>(std::ref(over), std::cref(all), messages / (2 * members))
                                   .mailbox(troupe::bounded(2 * members)))
                        .value());
    }
    for (auto& member : all) member.tell<Pong>(0u);
    over.wait();
  });
  return measured;
}
