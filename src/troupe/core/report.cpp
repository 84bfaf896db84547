#include <troupe/core/report.hpp>

#include <new>

#include <troupe/core/budget.hpp>
#include <troupe/core/hook.hpp>
#include <troupe/core/kernel.hpp>
#include <troupe/core/life.hpp>
#include <troupe/core/options.hpp>
#include <troupe/core/orders.hpp>

namespace troupe::reports {

namespace {

void send(Worker& worker, Cell& child, std::uint32_t report) noexcept {
  if (child.parent == nullptr) {
    worker.kernel->ended.store(1, order::release);  // the guardian itself: the system is empty
    return;
  }
  Cell& parent = *child.parent;
  if ((child.report.exchange(report | queued, order::acq_rel) & queued) != 0) return;
  Atomic<Cell*>& reporters = parent.side.load(order::acquire)->reporters;
  Cell* first = reporters.load(order::relaxed);
  do {
    child.next_report = first;
  } while (!reporters.compare_exchange_weak(first, &child, order::release, order::relaxed));
  // The first one speaks for all, and until it has, nobody takes the list: so the parent lives, since it waits for this
  // very report before it closes. Whoever came later must not touch it again: it may be gone with the first's tag.
  if (first != nullptr) return;
  if (mailbox::announce(parent, mailbox::has_reports) == mailbox::Push::scheduled) worker.schedule(parent);
}

void unlink_child(Side& side, Cell& child) noexcept {
  (child.previous_sibling != nullptr ? child.previous_sibling->next_sibling : side.first_child) = child.next_sibling;
  if (child.next_sibling != nullptr) child.next_sibling->previous_sibling = child.previous_sibling;
  --side.children;
}

// The recipe goes only now, not when the child closes: a parent that decides about a failure reads the policy in it,
// while somebody else may stop the child.
void free_cell(Worker& worker, Cell& child) noexcept {
  if (child.recipe->dispose != nullptr) child.recipe->dispose(*child.recipe);
  if (Side* side = child.side.exchange(nullptr, order::relaxed)) {
    if (side->budget != nullptr) budgets::free(worker, *side->budget);
    side->lock.lock();
    side->cell = nullptr;
    side->unstarted_for = nullptr;
    side->lock.unlock();
    side->failure.reset();
    side->last_error.reset();
    worker.free_stable(side, side_class);
  }
  Memory::poison(child.state(), state_bytes_of(child.cell_class));
  worker.free_stable(&child, child.cell_class);
}

bool stopping(const Cell& cell) noexcept { return (cell.orders.load(order::acquire) & orders::stop) != 0; }
Generation life_of(const Cell& cell) noexcept { return cell.generation.load(order::relaxed); }

template <class Visit>
void each_of_group(Cell& parent, Cell& failed_child, bool all, Visit visit) noexcept {
  if (!all) {
    visit(failed_child);
    return;
  }
  for (Cell* child = parent.side.load(order::relaxed)->first_child; child != nullptr; child = child->next_sibling) {
    // From the recipe: the marks of a cell are its own to write, while its parent looks.
    const bool bound = child->recipe->options->policy.scope() == Policy::Scope::all;
    if (bound && !stopping(*child)) visit(*child);
  }
}

// Every member is charged; if one budget is spent the whole group stops, and the answer is false.
bool restart_group(Worker& worker, Cell& parent, Cell& child, const Policy& policy, bool in_place) noexcept {
  const bool all = policy.scope() == Policy::Scope::all;
  bool within = true;
  each_of_group(parent, child, all, [&](Cell& member) { within = budgets::has_room(member, worker.now) && within; });
  each_of_group(parent, child, all, [&](Cell& member) {
    if (within) {
      budgets::charge(member, worker.now);
      orders::order_restart(member, life_of(member), in_place);
    } else {
      const bool spent = !budgets::has_room(member, worker.now);
      orders::order_stop(member, life_of(member), spent ? StopReason::restarts_exhausted : StopReason::sibling_failed);
    }
  });
  return within;
}

// What became of it: a restart beyond the budget is a stop.
Directive carry_out(Worker& worker, Cell& parent, Cell& child, const Policy& policy, Directive directive) noexcept {
  const bool all = policy.scope() == Policy::Scope::all;
  switch (directive) {
    case Directive::restart:
    case Directive::restart_in_place: {
      const bool in_place = directive == Directive::restart_in_place;
      return restart_group(worker, parent, child, policy, in_place) ? directive : Directive::stop;
    }
    case Directive::resume:
      orders::set(child, life_of(child), orders::resume);
      break;
    case Directive::stop:
      each_of_group(parent, child, all, [&](Cell& member) {
        orders::order_stop(member, life_of(member),
                           &member == &child ? StopReason::failed : StopReason::sibling_failed);
      });
      break;
    case Directive::escalate:
      orders::order_stop(child, life_of(child), StopReason::escalated);
      break;
  }
  return directive;
}

void decide(Worker& worker, Cell& parent, Cell& child, bool failed_in_start) noexcept {
  static const Error unknown{Code::exhausted, "the actor failed, and there was no memory to say why"};
  const Side* child_side = child.side.load(order::relaxed);
  const bool told = child_side != nullptr && child_side->failure.has_value();
  const Error error = told ? *child_side->failure : unknown;
  const char* message = told ? child_side->failed_message : "";
  const Policy& policy = child.recipe->options->policy;
  Directive directive = policy.decide(error, message);
  if (directive == Directive::resume && failed_in_start) directive = Directive::stop;  // there is nothing to resume
  const bool at_root = &parent == &worker.kernel->guardian();
  directive = carry_out(worker, parent, child, policy, directive);
  hooks::tell_child_failed(
      worker, parent,
      {.child = AnyRef({&child, life_of(child)}), .decided = directive, .error = error, .message = message});
  if (directive == Directive::escalate && !at_root) {
    life::fail(worker, parent, error, message, {&child, life_of(child)});
  }
}

void take(Worker& worker, Cell& parent, Cell& child) noexcept {
  const std::uint32_t report = child.report.exchange(0, order::acq_rel);
  if ((report & ended) != 0) {
    release_child(worker, *parent.side.load(order::relaxed), child);
    return;
  }
  // An ending parent has told it to stop already; an older incarnation's failure has its order under way.
  if (parent.life == Life::ending || stopping(child)) return;
  const auto incarnation = static_cast<std::uint16_t>(report);
  if (incarnation != orders::target_of(child.orders.load(order::acquire))) return;
  decide(worker, parent, child, (report & in_start) != 0);
}

}  // namespace

void send_failure(Worker& worker, Cell& child, bool failed_in_start) noexcept {
  send(worker, child, child.incarnation | failed | (failed_in_start ? in_start : 0));
}

void send_end(Worker& worker, Cell& child) noexcept { send(worker, child, ended); }

void release_child(Worker& worker, Side& parent, Cell& child) noexcept {
  unlink_child(parent, child);
  free_cell(worker, child);
}

void link_child(Cell& parent, Cell& child) noexcept {
  Side& side = *parent.side.load(order::relaxed);
  child.previous_sibling = nullptr;
  child.next_sibling = side.first_child;
  if (child.next_sibling != nullptr) child.next_sibling->previous_sibling = &child;
  side.first_child = &child;
  ++side.children;
}

void join_guardian(Worker&, Cell& guardian, Cell& root) noexcept {
  Atomic<Cell*>& newcomers = guardian.side.load(order::acquire)->newcomers;
  Cell* first = newcomers.load(order::relaxed);
  do {
    root.next_sibling = first;
  } while (!newcomers.compare_exchange_weak(first, &root, order::release, order::relaxed));
}

void adopt_newcomers(Cell& guardian) noexcept {
  Cell* root = guardian.side.load(order::relaxed)->newcomers.exchange(nullptr, order::acquire);
  Cell* oldest_first = nullptr;
  while (root != nullptr) {
    Cell* next = root->next_sibling;
    root->next_sibling = oldest_first;
    oldest_first = root;
    root = next;
  }
  while (oldest_first != nullptr) {
    Cell* next = oldest_first->next_sibling;
    link_child(guardian, *oldest_first);
    oldest_first = next;
  }
}

}  // namespace troupe::reports

namespace troupe::life {

void take_reports(Worker& worker, Cell& cell) noexcept {
  if (&cell == &worker.kernel->guardian()) reports::adopt_newcomers(cell);
  Cell* child = cell.side.load(order::relaxed)->reporters.exchange(nullptr, order::acquire);
  while (child != nullptr) {
    Cell* next = child->next_report;
    reports::take(worker, cell, *child);
    child = next;
  }
}

}  // namespace troupe::life
