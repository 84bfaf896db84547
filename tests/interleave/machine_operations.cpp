// What each operation of a thread does, and which choices of the memory come with it.
#include <algorithm>
#include <array>

#include <tests/interleave/machine.hpp>

namespace troupe::interleave {

std::uint64_t Machine::access(const Operation& operation) {
  Thread& self = threads_[current_];
  self.pending = operation;
  if (operation.kind == Kind::yield) {
    turns_.yields(current_);
    for (unsigned other = 0; other < count_; ++other) {
      self.awaited[other] = turns_.ended(other) ? memory_.buffers().made(other) : surely_made(other);
    }
  }
  take_turn();
  return perform(self.pending);
}

void Machine::take_turn() {
  const unsigned self = current_;
  if (starting_) {
    switch_to(main);
  } else if (const unsigned next = pick(); next != self) {
    switch_to(next);
  }
  turns_.stepped(self);
  threads_[self].settled = memory_.buffers().made(self);
  count_step();
}

void Machine::count_step() {
  if (++steps_ > options_.steps) fail("more steps than Options::steps allows: a livelock, or a scenario too long");
  if (memory_.changes() != changes_) {
    changes_ = memory_.changes();
    quiet_since_ = steps_;
  } else if (steps_ - quiet_since_ > options_.quiet_steps) {
    fail("livelock: the threads go on, but memory does not change any more (or a loop lacks spin_pause)");
  }
}

void Machine::store(model::Cell cell, std::uint64_t value, std::memory_order order) {
  const Operation operation{.kind = Kind::store, .order = order, .cell = cell, .operand = value};
  const bool invisible = order != std::memory_order_seq_cst && options_.reduce;
  if (!invisible) {
    access(operation);
    return;
  }
  count_step();
  threads_[current_].pending = operation;
  perform(threads_[current_].pending);
}

std::uint64_t Machine::perform(Operation& operation) {
  if (operation.cell.address != nullptr && memory_.poisoned(operation.cell.address)) {
    record(operation, 0);
    fail("access to poisoned memory");
  }
  Thread& self = threads_[current_];
  std::uint64_t seen = 0;
  switch (operation.kind) {
    case Kind::load:
      seen = load(operation);
      break;
    case Kind::store:
      if (operation.order == std::memory_order_seq_cst) {
        drain_for(operation);
        memory_.write(operation.cell, operation.operand, self.history);
        record(operation, 0);
      } else {
        memory_.delay(current_, operation.cell, operation.operand, releases(operation.order), self.history);
        record(operation, 0, Event::Outcome::delayed);
      }
      break;
    case Kind::update:
      seen = update(operation);
      break;
    case Kind::compare_exchange:
      seen = compare_exchange(operation);
      break;
    case Kind::membarrier:
      membarrier();
      break;
    case Kind::step:
      memory_.touch(this, self.history);
      record(operation, 0);
      break;
    case Kind::yield:
      yield();
      break;
    case Kind::wait:
      wait(operation);
      break;
    case Kind::wake:
      seen = wake(operation);
      break;
    case Kind::resume:
    case Kind::flush:
      break;  // never asked for by a thread
  }
  if (memory_.corrupted()) fail("a delayed store reached poisoned memory");
  return seen;
}

std::uint64_t Machine::load(const Operation& operation) {
  std::uint64_t& history = threads_[current_].history;
  let_depart(operation.cell.address, 0);
  if (const DelayedStore* own = memory_.buffers().newest(current_, operation.cell.address)) {
    const std::uint64_t seen = own->value;
    history = mix(history, 2);
    record(operation, seen, Event::Outcome::forwarded);
    return seen;
  }
  const std::uint64_t seen = memory_.read(operation.cell, history);
  record(operation, seen);
  return seen;
}

std::uint64_t Machine::update(const Operation& operation) {
  drain_for(operation);
  const std::uint64_t seen = read_bytes(operation.cell);
  memory_.write(operation.cell, updated(operation.update, seen, operation.operand), threads_[current_].history);
  record(operation, seen);
  return seen;
}

std::uint64_t Machine::compare_exchange(const Operation& operation) {
  std::uint64_t& history = threads_[current_].history;
  drain_for(operation);
  const std::uint64_t seen = read_bytes(operation.cell);
  auto outcome = seen == operation.expected ? Event::Outcome::done : Event::Outcome::failed;
  if (outcome == Event::Outcome::done && operation.weak && spurious_ < options_.spurious_failures && choose(2) == 1) {
    ++spurious_;
    history = mix(history, 5);
    outcome = Event::Outcome::spurious;
  }
  if (outcome == Event::Outcome::done) {
    memory_.write(operation.cell, operation.operand, history);
  } else {
    static_cast<void>(memory_.read(operation.cell, history));
  }
  threads_[current_].swapped = outcome == Event::Outcome::done;
  record(operation, seen, outcome);
  return seen;
}

// How many stores a thread has made at least. Threads are not stopped where they make a store, since hardly
// anybody could tell the difference; to those who can, the stores since the thread's last turn may just as
// well be still to come.
std::uint32_t Machine::surely_made(unsigned thread) const noexcept {
  const StoreBuffers& buffers = memory_.buffers();
  return options_.reduce ? std::max(threads_[thread].settled, buffers.left(thread)) : buffers.made(thread);
}

void Machine::membarrier() {
  // Any number of the stores that others have not surely made may have been made before.
  std::array<std::uint32_t, max_threads> made{};
  std::uint64_t chosen = 0;
  for (unsigned thread = 0; thread < count_; ++thread) {
    made[thread] = memory_.buffers().made(thread);
    if (thread != current_) made[thread] -= choose(made[thread] - surely_made(thread) + 1);
    chosen = mix(chosen, made[thread]);
  }
  let_depart(nullptr, memory_.buffers().filled(), chosen);
  for (unsigned thread = 0; thread < count_; ++thread) {
    memory_.depart(memory_.buffers().made_before(thread, std::max(made[thread], surely_made(thread))));
  }
  Thread& self = threads_[current_];
  self.history = mix(self.history, 1);
  record(self.pending, 0);
}

void Machine::yield() {
  Thread& self = threads_[current_];
  Threads late = 0;
  for (unsigned other = 0; other < count_; ++other) {
    const bool waits = other != current_ && memory_.buffers().made_before(other, self.awaited[other]).positions != 0;
    if (waits) late |= only(other);
  }
  let_depart(nullptr, late);
  for (unsigned other = 0; other < count_; ++other) {
    if (other != current_) memory_.depart(memory_.buffers().made_before(other, self.awaited[other]));
  }
  self.history = mix(self.history, 3);
  record(self.pending, 0);
}

void Machine::wait(Operation& operation) {
  Thread& self = threads_[current_];
  drain_for(operation);
  const std::uint64_t seen = read_bytes(operation.cell);
  memory_.touch(operation.cell.address, self.history);
  if (seen != operation.expected) {
    record(operation, seen);
    return;
  }
  record(operation, seen, Event::Outcome::slept);
  turns_.sleeps(current_);
  operation.kind = Kind::resume;
  take_turn();
  self.history = mix(self.history, 4);
  record(operation, 0);
}

std::uint64_t Machine::wake(const Operation& operation) {
  Thread& self = threads_[current_];
  drain_for(operation);
  memory_.touch(operation.cell.address, self.history);
  std::uint64_t woken = 0;
  for (; woken < operation.operand; ++woken) {
    std::array<unsigned, max_threads> sleepers{};
    unsigned count = 0;
    for (unsigned thread = 0; thread < count_; ++thread) {
      const Operation& other = threads_[thread].pending;
      const bool sleeps = turns_.asleep(thread) && other.cell.address == operation.cell.address;
      if (sleeps) sleepers[count++] = thread;
    }
    if (count == 0) break;
    const unsigned chosen = sleepers[choose(count)];
    turns_.wakes(chosen);
    threads_[chosen].history = mix(threads_[chosen].history, self.history);
  }
  if (woken != 0) quiet_since_ = steps_;
  record(operation, woken);
  return woken;
}

// Lets delayed stores arrive that could make a difference to the operation that is about to happen.
void Machine::let_depart(const void* address, Threads drained, std::uint64_t where) {
  if (!options_.reduce && current_ != check) return;  // then `pick` offers each of them at each step
  for (;;) {
    Departures found;
    memory_.buffers().candidates(current_, address, drained, found);
    if (found.count == 0) return;
    const unsigned alternatives = found.count + 1;
    if (seen_before(mix(where, fiber_count + current_))) coasting_ = true;
    const bool random = options_.search == Search::random;
    const unsigned choice = choose(alternatives, random ? static_cast<unsigned>(priorities_.below(alternatives)) : 0);
    if (choice == 0) return;
    memory_.depart(found.list[choice - 1]);
  }
}

// An operation that acts on memory itself first lets the thread's own stores arrive: all of them on x86, in
// the weak model only those that it is ordered after.
void Machine::drain_for(const Operation& operation) {
  let_depart(operation.cell.address, only(current_));
  const StoreBuffers& buffers = memory_.buffers();
  const bool all = !options_.weak_stores || releases(operation.order);
  memory_.depart(all ? buffers.all_of(current_) : buffers.up_to_newest(current_, operation.cell.address));
}

void Machine::record(const Operation& operation, std::uint64_t seen, Event::Outcome outcome) {
  timeline_.add(
      {.operation = operation, .seen = seen, .thread = static_cast<std::uint8_t>(current_), .outcome = outcome});
}

}  // namespace troupe::interleave
