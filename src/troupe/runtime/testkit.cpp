#include <troupe/runtime/testkit.hpp>

#include <algorithm>

namespace troupe::testkit {

void Faults::fail_next(std::string_view actor_type, std::string_view message, Error error) {
  planned_.push_back({std::string(actor_type), std::string(message), std::move(error)});
}

void Faults::fail_at_random(World& world, unsigned in_a_thousand) noexcept {
  world_ = &world;
  in_a_thousand_ = in_a_thousand;
}

Result<void> Faults::before(const Passing& passing) noexcept {
  const auto planned = std::ranges::find_if(planned_, [&](const Planned& plan) {
    return plan.actor_type == passing.actor_type && plan.message == passing.message;
  });
  if (planned != planned_.end()) {
    Error error = std::move(planned->error);
    planned_.erase(planned);
    return error;
  }
  if (world_ != nullptr && world_->random(1000) < in_a_thousand_) return Error{Code::failed, "injected at random"};
  return {};
}

Stage::Stage(std::uint64_t seed, SystemOptions options) : world_(seed) {
  options.print_warnings = false;
  options.middleware = &faults_;
  system_ = std::make_unique<System>(world_.node(), std::move(options));
}

std::string Stage::check() {
  world_.run_until_idle();
  return check_law(*system_);
}

std::string check_law(const System& system) {
  MessageFigures messages = system.figures().messages;
  messages.queued = system.count_queued();
  if (messages.add_up()) return {};
  return "sent " + std::to_string(messages.sent) + " is not handled " + std::to_string(messages.handled) +
         " + rejected " + std::to_string(messages.rejected) + " + dropped " + std::to_string(messages.dropped) +
         " + dead " + std::to_string(messages.dead) + " + queued " + std::to_string(messages.queued);
}

}  // namespace troupe::testkit
