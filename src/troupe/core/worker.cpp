#include <troupe/core/worker.hpp>

#include <troupe/core/any_ref.hpp>
#include <troupe/core/orders.hpp>
#include <troupe/core/task.hpp>

namespace troupe {

namespace {

// Behind `nobody`: has nothing and does nothing.
class NoExecutor final : public Executor {
 public:
  bool refill(Memory&, SizeClass) noexcept override { return false; }
  void surplus(Memory&, SizeClass) noexcept override {}
  void share(Worker&) noexcept override {}
  bool park(Worker&, Instant) noexcept override { return false; }
  void wake(Worker&, Cell&) noexcept override {}
};

constinit NoExecutor no_executor;

}  // namespace

constinit Worker nobody(no_executor, nullptr, Worker::no_system, nullptr);
constinit Cell nowhere_cell{mailbox::closed, ~Generation{0}};

bool Memory::refill(SizeClass size_class) noexcept { return executor_->refill(*this, size_class); }
void Memory::surplus(SizeClass size_class) noexcept { executor_->surplus(*this, size_class); }

Cell* ReadyQueue::pop_at(std::uint32_t index) noexcept {
  if (index == 0) return pop();
  Cell* before = first_;
  while (--index > 0) before = before->next_ready;
  Cell* cell = before->next_ready;
  before->next_ready = cell->next_ready;
  if (last_ == cell) last_ = before;
  --size_;
  return cell;
}

namespace detail {

void* allocate_frame(std::size_t bytes) noexcept {
  Worker* worker = memory_here();
  const SizeClass size_class = size_class_of(bytes);
  return worker == nullptr || size_class == 0 ? nullptr : worker->allocate(size_class);
}

void free_frame(void* frame, std::size_t bytes) noexcept { memory_here()->free(frame, size_class_of(bytes)); }

}  // namespace detail

bool AnyRef::stop() const noexcept { return orders::order_stop(*cell_.cell, cell_.generation, StopReason::requested); }
bool AnyRef::force_stop() const noexcept {
  return orders::order_stop(*cell_.cell, cell_.generation, StopReason::requested, true);
}
bool AnyRef::drain() const noexcept { return orders::set(*cell_.cell, cell_.generation, orders::drain); }
bool AnyRef::suspend() const noexcept { return orders::set(*cell_.cell, cell_.generation, orders::suspended); }
bool AnyRef::resume() const noexcept { return orders::clear(*cell_.cell, cell_.generation, orders::suspended); }
bool AnyRef::start_again() const noexcept { return orders::set(*cell_.cell, cell_.generation, orders::start_again); }

}  // namespace troupe
