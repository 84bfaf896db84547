#include <tests/interleave/timeline.hpp>

#include <iomanip>
#include <sstream>

namespace troupe::interleave {

namespace {

const char* to_text(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed:
      return "relaxed";
    case std::memory_order_consume:
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
  }
  return "?";
}

const char* to_text(model::Update update) {
  switch (update) {
    case model::Update::exchange:
      return "exchange";
    case model::Update::add:
      return "add";
    case model::Update::subtract:
      return "subtract";
    case model::Update::set_bits:
      return "or";
    case model::Update::keep_bits:
      return "and";
  }
  return "?";
}

}  // namespace

std::string Timeline::print(const char* const* thread_names) const {
  std::ostringstream text;
  unsigned number = 0;
  for (const Event& event : events_) {
    text << std::setw(6) << ++number << "  " << std::left << std::setw(12) << thread_names[event.thread] << ' '
         << std::right << describe(event) << '\n';
  }
  return text.str();
}

std::string Timeline::label(const void* address) const {
  std::ostringstream text;
  // The latest name that fits: parts are named after the whole.
  for (auto name = names_.rbegin(); name != names_.rend(); ++name) {
    const auto offset = static_cast<const std::byte*>(address) - static_cast<const std::byte*>(name->address);
    if (offset < 0 || static_cast<std::size_t>(offset) >= name->bytes) continue;
    text << name->text;
    if (offset != 0) text << '+' << offset;
    return text.str();
  }
  text << '[' << address << ']';
  return text.str();
}

std::string Timeline::describe(const Event& event) const {
  using enum Event::Outcome;
  const Operation& operation = event.operation;
  std::ostringstream text;
  text << std::hex << std::showbase;
  if (event.outcome == noted) {
    text << "-- " << event.text;
    return text.str();
  }

  const std::string where = operation.cell.address == nullptr ? "" : label(operation.cell.address);
  const std::string how = where + " (" + to_text(operation.order) + ')';
  switch (operation.kind) {
    case Kind::load:
      text << "load " << how << " -> " << event.seen;
      if (event.outcome == forwarded) text << ", its own delayed store";
      break;
    case Kind::store:
      text << "store " << how << " := " << operation.operand;
      if (event.outcome == delayed) text << ", delayed";
      break;
    case Kind::flush:
      text << "     delayed store arrives: " << where << " := " << operation.operand;
      break;
    case Kind::update:
      text << to_text(operation.update) << ' ' << how << " with " << operation.operand << ", was " << event.seen;
      break;
    case Kind::compare_exchange:
      text << "compare_exchange " << how << ' ' << operation.expected << " -> " << operation.operand;
      if (event.outcome == spurious) text << " fails spuriously";
      if (event.outcome == failed) text << " fails: is " << event.seen;
      break;
    case Kind::membarrier:
      text << "membarrier";
      break;
    case Kind::step:
      text << "step";
      break;
    case Kind::yield:
      text << "yield";
      break;
    case Kind::wait:
      text << "wait while " << where << " is " << operation.expected << ": ";
      if (event.outcome == slept) {
        text << "sleeps";
      } else {
        text << "goes on, is " << event.seen;
      }
      break;
    case Kind::resume:
      text << "woken from its wait for " << where;
      break;
    case Kind::wake:
      text << "wake " << where << ", " << event.seen << " woken";
      break;
  }
  return text.str();
}

}  // namespace troupe::interleave
