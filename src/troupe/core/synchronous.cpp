#include <troupe/core/synchronous.hpp>

#include <new>

#include <troupe/core/alarm.hpp>
#include <troupe/core/mailbox.hpp>
#include <troupe/core/turn.hpp>

namespace troupe {

namespace {

// Makes the calling context the executor's worker for as long as it runs.
class Entered {
 public:
  explicit Entered(Worker& worker) noexcept : before_(current_worker) { current_worker = &worker; }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  ~Entered() { current_worker = before_; }

 private:
  Worker* before_;
};

}  // namespace

void* Arena::carve(std::size_t bytes) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(memory_);
  const std::size_t gap = (block_unit - address % block_unit) % block_unit;
  if (left_ < gap + bytes) return nullptr;
  void* carved = memory_ + gap;
  memory_ += gap + bytes;
  left_ -= gap + bytes;
  return carved;
}

bool carve_block(Arena& arena, Memory& memory, SizeClass size_class) noexcept {
  const std::size_t bytes = size_class == side_class ? sizeof(Side)
                            : is_stable(size_class)  ? cell_bytes(size_class)
                                                     : block_bytes(size_class);
  void* block = arena.carve(bytes);
  if (block == nullptr) return false;
  if (size_class == side_class) {
    memory.free_stable(new (block) Side, size_class);
  } else if (is_stable(size_class)) {
    auto* cell = new (block) Cell;
    cell->word.store(mailbox::closed, order::relaxed);
    memory.free_stable(cell, size_class);
  } else {
    memory.free(block, size_class);
  }
  return true;
}

void Synchronous::serve(Kernel& kernel) noexcept {
  worker_.kernel = &kernel;
  worker_.system.store(kernel.number(), order::relaxed);
  worker_.dispatcher = 0;
  worker_.index = 0;
  worker_.now = clock_->now();
}

bool Synchronous::refill(Memory& memory, SizeClass size_class) noexcept {
  return carve_block(*arena_, memory, size_class);
}

void Synchronous::wake(Worker&, Cell& cell) noexcept {
  stamp_ready(cell, worker_.now);
  worker_.push_ready(cell);
}

bool Synchronous::step() {
  const Entered entered(worker_);
  worker_.now = clock_->now();
  alarms::fire_due(worker_);
  Cell* cell = worker_.pop_ready();
  if (cell == nullptr) return false;
  turns::run(worker_, *cell, 1);
  return true;
}

Instant Synchronous::pump() {
  const Entered entered(worker_);
  constexpr unsigned most_runs = 64;  // before it looks at the clock again
  for (;;) {
    worker_.now = clock_->now();
    alarms::fire_due(worker_);
    unsigned runs = 0;
    while (runs < most_runs && turns::run_next(worker_)) ++runs;
    if (runs < most_runs && wheel_.next_due() > clock_->now()) return wheel_.next_due();
  }
}

}  // namespace troupe
