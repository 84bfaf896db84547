// Subscription: events for whoever is no actor.
//
// It ends with this object; the events it has got can be read after the system has ended. One thread reads
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include <troupe/runtime/event_filter.hpp>
#include <troupe/runtime/event_record.hpp>

namespace troupe {

namespace detail {
class Outlet;
class Outlets;
}  // namespace detail

class Subscription {
 public:
  Subscription() noexcept;  // to nothing
  Subscription(Subscription&& other) noexcept;
  Subscription& operator=(Subscription&& other) noexcept;
  ~Subscription();

  // The oldest event that was not read yet, if there is one.
  [[nodiscard]] std::optional<EventRecord> next();
  // Waits for it, in real time; nothing: none came, or the stream has ended.
  [[nodiscard]] std::optional<EventRecord> wait(Duration within);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::uint64_t lost() const;

 private:
  // NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): it is final, which is not seen from here
  friend class EventStream;
  Subscription(std::shared_ptr<detail::Outlets> outlets, EventFilter filter, std::size_t capacity);

  std::shared_ptr<detail::Outlets> outlets_;
  std::unique_ptr<detail::Outlet> outlet_;
};

}  // namespace troupe
