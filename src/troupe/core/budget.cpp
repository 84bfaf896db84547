#include <troupe/core/budget.hpp>

#include <new>

#include <troupe/core/side.hpp>

namespace troupe::budgets {

namespace {

Budget* budget_of(Cell& cell) noexcept {
  Side* side = cell.side.load(order::relaxed);
  return side == nullptr ? nullptr : side->budget;
}

void forget_old(Budget& budget, Instant now) noexcept {
  const auto window = static_cast<Instant>(budget.window.count());
  while (budget.size > 0 && now - budget.times()[budget.first] >= window) {
    budget.first = static_cast<std::uint16_t>((budget.first + 1) % budget.most);
    --budget.size;
  }
}

}  // namespace

Budget* make(Worker& worker, const Policy& policy) noexcept {
  const SizeClass size_class = size_class_of(sizeof(Budget) + policy.restarts() * sizeof(Instant));
  void* memory = worker.allocate(size_class);
  if (memory == nullptr) return nullptr;
  return new (memory)
      Budget{.window = policy.window(), .most = policy.restarts(), .size = 0, .first = 0, .size_class = size_class};
}

void free(Worker& worker, Budget& budget) noexcept { worker.free(&budget, budget.size_class); }

bool has_room(Cell& cell, Instant now) noexcept {
  Budget* budget = budget_of(cell);
  if (budget == nullptr) return false;
  forget_old(*budget, now);
  return budget->size < budget->most;
}

void charge(Cell& cell, Instant now) noexcept {
  Budget& budget = *budget_of(cell);
  budget.times()[(budget.first + budget.size) % budget.most] = now;
  ++budget.size;
}

}  // namespace troupe::budgets
