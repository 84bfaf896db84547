#include <troupe/runtime/event_outlets.hpp>

namespace troupe::detail {

Round Outlets::push(EventKind kind, const SharedRecord& record, Hints* hints) noexcept {
  Round round;
  const std::scoped_lock lock(mutex_);
  for (Outlet* outlet : open_) {
    if (!outlet->filter.contains(kind)) continue;
    if (record != nullptr && !outlet->full()) {
      outlet->push(record);
      ++round.accepted;
      continue;
    }
    ++round.lost;
    ++outlet->lost;
    if (hints == nullptr || outlet->behind || !outlet->full()) continue;
    outlet->behind = hints->add({.kind = EventKind::back_pressure, .number = outlet->capacity()});
  }
  return round;
}

SharedRecord Outlets::pop(Outlet& outlet, Duration within) {
  constexpr Duration longest = std::chrono::hours(24 * 365);  // the clock's end is no deadline one can add to
  std::unique_lock lock(mutex_);
  if (within > Duration::zero()) {
    outlet.arrived.wait_for(lock, std::min(within, longest), [&] { return outlet.size() > 0 || interest_ == nullptr; });
  }
  return outlet.pop();
}

}  // namespace troupe::detail
