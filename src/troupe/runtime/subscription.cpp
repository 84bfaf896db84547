#include <troupe/runtime/subscription.hpp>

#include <utility>

#include <troupe/runtime/event_outlets.hpp>

namespace troupe {

Subscription::Subscription() noexcept = default;
Subscription::Subscription(Subscription&& other) noexcept = default;

Subscription::Subscription(std::shared_ptr<detail::Outlets> outlets, EventFilter filter, std::size_t capacity)
    : outlets_(std::move(outlets)), outlet_(std::make_unique<detail::Outlet>(filter, capacity)) {
  outlets_->open(*outlet_);
}

Subscription& Subscription::operator=(Subscription&& other) noexcept {
  Subscription old = std::move(*this);
  outlets_ = std::move(other.outlets_);
  outlet_ = std::move(other.outlet_);
  return *this;
}

Subscription::~Subscription() {
  if (outlet_ != nullptr) outlets_->close(*outlet_);
}

std::optional<EventRecord> Subscription::next() { return wait(Duration::zero()); }

std::optional<EventRecord> Subscription::wait(Duration within) {
  if (outlet_ == nullptr) return std::nullopt;
  const detail::SharedRecord record = outlets_->pop(*outlet_, within);
  return record == nullptr ? std::nullopt : std::optional<EventRecord>(*record);
}

std::size_t Subscription::size() const {
  return outlet_ == nullptr ? 0 : outlets_->read([this] { return outlet_->size(); });
}

std::uint64_t Subscription::lost() const {
  return outlet_ == nullptr ? 0 : outlets_->read([this] { return outlet_->lost; });
}

}  // namespace troupe
