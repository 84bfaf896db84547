#include <tests/interleave/machine.hpp>

#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <stdexcept>

namespace troupe::interleave {

namespace {
constexpr auto not_deterministic = "the scenario is not deterministic: the same choices led to another state";
}

void Machine::run(const std::function<void(Scenario&)>& scenario, unsigned preemptions) {
  reset(preemptions);
  scenario(scenario_);
  try {
    start_threads();
    const unsigned first = pick();
    if (first != nobody) switch_to(first);
    if (!failed()) {
      fibers_[check].start(enter_check, this);
      switch_to(check);
    }
  } catch (const Stopped&) {
  }
  // The threads of a failed execution are stopped in the middle; what they use must stay.
  scenario_.reset(!failed());
}

void Machine::reset(unsigned preemptions) {
  trail_.rewind();
  timeline_.clear();
  memory_.reset(options_.weak_stores);
  failure_.clear();
  last_ = nobody;
  coasting_ = false;
  bound_ = preemptions;
  spent_ = spurious_ = 0;
  steps_ = quiet_since_ = changes_ = 0;
}

void Machine::start_threads() {
  count_ = static_cast<unsigned>(scenario_.threads_.size());
  turns_.reset(count_);
  keep_locals();
  starting_ = true;
  for (unsigned thread = 0; thread < count_ && !failed(); ++thread) {
    threads_[thread] = {.name = scenario_.threads_[thread].name, .history = thread};
    fibers_[thread].start(enter_thread, this);
    switch_to(thread);
  }
  starting_ = false;
  if (failed()) throw Stopped();
}

void Machine::enter_thread(void* machine) {
  auto& self = *static_cast<Machine*>(machine);
  self.call(self.scenario_.threads_[self.current_].run);
  self.turns_.ends(self.current_);
  self.quiet_since_ = self.steps_;
  const unsigned next = self.starting_ ? nobody : self.pick();
  self.switch_to(next == nobody ? main : next);
}

void Machine::enter_check(void* machine) {
  auto& self = *static_cast<Machine*>(machine);
  // What the threads still held back arrives now, in any order.
  self.let_depart(nullptr, self.memory_.buffers().filled());
  for (unsigned thread = 0; thread < self.count_; ++thread) {
    self.memory_.depart(self.memory_.buffers().all_of(thread));
  }
  if (self.trail_.repeating()) self.fail(not_deterministic);
  if (self.memory_.corrupted()) self.fail("a delayed store reached poisoned memory");
  if (self.scenario_.check_) self.call(self.scenario_.check_);
  self.switch_to(main);
}

void Machine::call(const std::function<void()>& body) {
  try {
    body();
  } catch (const std::exception& exception) {
    failure_ = std::string("exception: ") + exception.what();
  } catch (...) {
    failure_ = "exception of an unknown type";
  }
  if (failed()) switch_to(main);
}

void Machine::fail(const char* text) {
  failure_ = text;
  if (!on_fiber()) throw Stopped();
  switch_to(main);
  std::terminate();  // nobody switches back to a stopped thread
}

bool Machine::is_calm(const void* address, bool changed) {
  for (auto& calm : scenario_.calm_) {
    const auto offset = static_cast<const std::byte*>(address) - static_cast<const std::byte*>(calm.address);
    if (offset < 0 || static_cast<std::size_t>(offset) >= calm.bytes) continue;
    if (calm.owner == Scenario::Calm::not_yet) calm.owner = current_;
    if (calm.owner == Scenario::Calm::constant) {
      if (changed) fail("a thread changes what was declared as constant");
    } else if (calm.owner != current_) {
      fail("two threads use what was declared as unshared");
    }
    return true;
  }
  return false;
}

unsigned Machine::pick() {
  for (;;) {
    const Threads eligible = turns_.eligible();
    if (eligible == 0) {
      if (turns_.all_ended()) return nobody;
      fail("deadlock: every thread that has not ended sleeps");
    }

    const bool can_stay = contains(eligible, last_);
    std::array<std::uint8_t, max_threads> order{};
    unsigned count = 0;
    if (can_stay) order[count++] = static_cast<std::uint8_t>(last_);
    if (!can_stay || spent_ < bound_) {
      for (unsigned thread = 0; thread < count_; ++thread) {
        if (thread != last_ && contains(eligible, thread)) order[count++] = static_cast<std::uint8_t>(thread);
      }
    }
    Departures departures;
    if (!options_.reduce) memory_.buffers().all_candidates(departures);

    const unsigned alternatives = count + departures.count;
    if (alternatives > 1 && seen_before(can_stay ? last_ : nobody)) coasting_ = true;
    const unsigned choice = choose(alternatives, pick_by_priority(order.data(), count));
    if (choice >= count) {
      memory_.depart(departures.list[choice - count]);
      continue;
    }
    if (can_stay && order[choice] != last_) ++spent_;
    return last_ = order[choice];
  }
}

unsigned Machine::pick_by_priority(const std::uint8_t* order, unsigned count) {
  return options_.search == Search::random ? priorities_.pick(order, count, steps_, last_) : 0;
}

unsigned Machine::choose(unsigned alternatives, unsigned preferred) {
  if (alternatives == 1 || coasting_) return 0;
  if (alternatives > Trail::most_alternatives) fail("too many stores are delayed at once");
  const unsigned choice = trail_.choose(alternatives, preferred);
  if (choice == alternatives) fail(not_deterministic);
  return choice;
}

// `where` tells apart what else the next choice depends on.
bool Machine::seen_before(std::uint64_t where) {
  const bool useful = options_.reduce && options_.search == Search::exhaustive && options_.replay.empty();
  if (!useful || coasting_ || trail_.repeating()) return false;
  std::uint64_t state = mix(memory_.history(), turns_.hash());
  for (unsigned thread = 0; thread < count_; ++thread) {
    state = mix(state, threads_[thread].history);
    if (threads_[thread].pending.kind != Kind::yield) continue;
    for (unsigned other = 0; other < count_; ++other) {
      state = mix(state, memory_.buffers().made_before(other, threads_[thread].awaited[other]).positions);
    }
  }
  return visited_.met(mix(state, where), spent_);
}

std::string Machine::print_timeline() const {
  std::array<const char*, fiber_count> names{};
  for (unsigned thread = 0; thread < max_threads; ++thread) names[thread] = threads_[thread].name;
  names[main] = "set-up";
  names[check] = "final check";
  return timeline_.print(names.data());
}

// How far the run-time is with exceptions belongs to a thread, too.
Scenario::Local Machine::exception_state() noexcept {
  struct Globals {
    void* caught;
    unsigned uncaught;
  };
  return {__cxxabiv1::__cxa_get_globals(), sizeof(Globals)};
}

void Machine::keep_locals() {
  locals_ = scenario_.locals_;
  for (auto& kept : kept_locals_) {
    kept.clear();
    for (const auto& local : locals_) {
      const auto* bytes = static_cast<const std::byte*>(local.address);
      kept.insert(kept.end(), bytes, bytes + local.bytes);
    }
    const std::size_t size = kept.size();
    kept.resize(size + exception_state().bytes);
  }
  locals_.push_back(exception_state());
}

void Machine::switch_to(unsigned fiber) noexcept {
  const unsigned from = current_;
  std::byte* keep = kept_locals_[from].data();
  const std::byte* restore = kept_locals_[fiber].data();
  for (const auto& local : locals_) {
    std::memcpy(keep, local.address, local.bytes);
    std::memcpy(local.address, restore, local.bytes);
    keep += local.bytes;
    restore += local.bytes;
  }
  current_ = fiber;
  running_ = fiber < max_threads ? this : nullptr;
  fibers_[from].switch_to(fibers_[fiber]);
}

}  // namespace troupe::interleave
