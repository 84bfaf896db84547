#include <vector>

#include "case.hpp"

namespace {

struct Ball {
  std::uint64_t bounces_left;
};

struct Player {
  std::latch& over;
  troupe::Ref<Player> other;

  void on(const Ball& ball, troupe::Context& context) {
    if (!other) other = context.sender().as<Player>();
    if (ball.bounces_left == 0) {
      over.count_down();
    } else {
      other.tell<Ball>(ball.bounces_left - 1);
    }
  }
};

Measured play(const Run& run, unsigned pairs) {
  troupe::System system(with_workers(run.workers));
  return warmed_up(run, [&](std::uint64_t messages) {
    std::latch over(pairs);
    std::vector<troupe::Ref<Player>> servers;
    for (unsigned i = 0; i < pairs; ++i)
      servers.push_back(system.spawn<Player>(std::ref(over), system.spawn<Player>(std::ref(over))));
    for (auto& server : servers) server.tell<Ball>(messages / pairs);
    over.wait();
  });
}

}  // namespace

Measured ping_pong_1(const Run& run) { return play(run, 1); }
Measured ping_pong_100(const Run& run) { return play(run, 100); }
