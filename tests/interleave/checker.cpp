#include <tests/interleave/checker.hpp>

#include <charconv>
#include <chrono>
#include <ostream>
#include <stdexcept>

#include <tests/interleave/crash_guard.hpp>
#include <tests/interleave/machine.hpp>

namespace troupe::interleave {

namespace {

constexpr unsigned unbounded = 255;

class Explorer {
 public:
  Explorer(const Options& options, const std::function<void(Scenario&)>& scenario)
      : options_(options), scenario_(scenario), machine_(options) {}

  Exploration explore() {
    const auto start = std::chrono::steady_clock::now();
    if (!options_.replay.empty()) {
      replay();
    } else if (options_.search == Search::random) {
      walk_randomly();
    } else {
      result_.complete = walk_all(options_.preemptions);
      // The schedule that failed first is rarely the simplest: look for one with fewer preemptions.
      for (unsigned bound = 0; !result_.passed && bound < result_.preemptions && walk_all(bound); ++bound) {
      }
    }
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result_;
  }

 private:
  // True if every schedule was covered and none failed.
  bool walk_all(unsigned bound) {
    machine_.trail().clear();
    machine_.visited().clear();
    do {
      if (result_.executions == options_.executions || !run(bound)) return false;
    } while (machine_.trail().advance());
    return true;
  }

  void walk_randomly() {
    std::uint64_t longest = 1;
    for (std::uint64_t i = 0; i < options_.executions; ++i) {
      machine_.trail().clear();
      machine_.priorities().reset(mix(options_.seed, i), options_.preemptions, longest);
      if (!run(unbounded)) return;
      longest = std::max(longest, machine_.steps());
    }
  }

  void replay() {
    const std::string& text = options_.replay;
    unsigned bound = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, bound);
    if (error != std::errc() || rest == end || *rest != ':') {
      throw std::invalid_argument("a replay text is a preemption bound, a colon and the choices");
    }
    machine_.trail().follow({rest + 1, end});
    run(bound);
  }

  bool run(unsigned bound) {
    machine_.run(scenario_, bound);
    ++result_.executions;
    result_.steps += machine_.steps();
    result_.states = machine_.visited().count();
    if (!machine_.failed()) return true;
    result_.passed = false;
    result_.failure = machine_.failure();
    result_.preemptions = machine_.preemptions();
    result_.timeline = machine_.print_timeline();
    result_.replay = std::to_string(bound) + ':' + machine_.trail().text();
    return false;
  }

  const Options& options_;
  const std::function<void(Scenario&)>& scenario_;
  CrashGuard crash_guard_;
  Machine machine_;
  Exploration result_;
};

Machine* machine() noexcept { return Machine::running(); }

enum class Access { load, change };

// Null: the variable is a plain one here.
Machine* machine_for(model::Cell cell, Access access) noexcept {
  Machine* running = Machine::running();
  return running == nullptr || running->is_calm(cell.address, access == Access::change) ? nullptr : running;
}

}  // namespace

Scenario::Scenario() : first_memory_(256 * 1024), memory_(first_memory_.data(), first_memory_.size()) {}

Scenario::~Scenario() { reset(false); }

void Scenario::thread(const char* name, std::function<void()> body) {
  if (threads_.size() == max_threads) throw std::logic_error("a scenario has at most four threads");
  threads_.push_back({name, std::move(body)});
}

void Scenario::reset(bool destroy_objects) noexcept {
  threads_.clear();
  check_ = nullptr;
  while (destroy_objects && !objects_.empty()) {
    objects_.back().destroy(objects_.back().address);
    objects_.pop_back();
  }
  objects_.clear();
  locals_.clear();
  calm_.clear();
  memory_.release();
}

Exploration explore(const Options& options, const std::function<void(Scenario&)>& scenario) {
  if (Machine::exploring() != nullptr) throw std::logic_error("an exploration cannot contain another");
  return Explorer(options, scenario).explore();
}

std::ostream& operator<<(std::ostream& out, const Exploration& result) {
  const double rate = result.seconds > 0 ? static_cast<double>(result.steps) / result.seconds / 1e6 : 0;
  out << result.executions << " executions, " << result.steps << " steps, " << result.states << " states, "
      << result.seconds << " s, " << rate << " million steps a second" << (result.complete ? "" : ", not complete");
  if (result.passed) return out;
  return out << "\nfailed with " << result.preemptions << " preemptions: " << result.failure << '\n'
             << result.timeline << "replay: " << result.replay << '\n';
}

void require(bool condition, const char* text) {
  if (!condition) fail(text);
}

void fail(const char* text) {
  Machine* exploring = Machine::exploring();
  if (exploring == nullptr || !exploring->on_fiber()) throw std::logic_error(text);
  exploring->fail(text);
}

void name(const void* address, std::size_t bytes, const char* text) {
  if (Machine* exploring = Machine::exploring()) exploring->timeline().name(address, bytes, text);
}

void note(const char* text) {
  if (Machine* exploring = Machine::exploring()) exploring->note(text);
}

void poison(const void* address, std::size_t bytes) {
  if (Machine* exploring = Machine::exploring()) exploring->memory().poison(address, bytes);
}

void unpoison(const void* address, std::size_t bytes) {
  if (Machine* exploring = Machine::exploring()) exploring->memory().unpoison(address, bytes);
}

void step() noexcept {
  if (machine() != nullptr) machine()->access({.kind = Kind::step});
}

void yield() noexcept {
  if (machine() != nullptr) machine()->access({.kind = Kind::yield});
}

void membarrier() noexcept {
  if (machine() != nullptr) machine()->access({.kind = Kind::membarrier});
}

namespace model {

void wait(Cell cell, std::uint64_t value) noexcept {
  if (machine() != nullptr) machine()->access({.kind = Kind::wait, .cell = cell, .expected = value});
}

unsigned wake(const void* address, unsigned most) noexcept {
  if (machine() == nullptr) return 0;
  return static_cast<unsigned>(
      machine()->access({.kind = Kind::wake, .cell = {const_cast<void*>(address), 0}, .operand = most}));
}

std::uint64_t load(Cell cell, std::memory_order order) noexcept {
  if (Machine* machine = machine_for(cell, Access::load)) {
    return machine->access({.kind = Kind::load, .order = order, .cell = cell});
  }
  return read_bytes(cell);
}

void store(Cell cell, std::uint64_t value, std::memory_order order) noexcept {
  if (Machine* machine = machine_for(cell, Access::change)) {
    machine->store(cell, value, order);
  } else {
    write_bytes(cell, value);
  }
}

std::uint64_t update(Cell cell, Update kind, std::uint64_t operand, std::memory_order order) noexcept {
  if (Machine* machine = machine_for(cell, Access::change)) {
    return machine->access({.kind = Kind::update, .update = kind, .order = order, .cell = cell, .operand = operand});
  }
  const std::uint64_t old = read_bytes(cell);
  write_bytes(cell, updated(kind, old, operand));
  return old;
}

bool compare_exchange(Cell cell, std::uint64_t& expected, std::uint64_t desired, bool weak,
                      std::memory_order order) noexcept {
  if (Machine* machine = machine_for(cell, Access::change)) {
    const Operation operation{.kind = Kind::compare_exchange,
                              .weak = weak,
                              .order = order,
                              .cell = cell,
                              .operand = desired,
                              .expected = expected};
    expected = machine->access(operation);
    return machine->swapped();
  }
  const std::uint64_t old = read_bytes(cell);
  if (old == expected) write_bytes(cell, desired);
  return std::exchange(expected, old) == old;
}

void forget(const void* address) noexcept {
  if (machine() != nullptr) machine()->forget(address);
}

}  // namespace model

}  // namespace troupe::interleave
