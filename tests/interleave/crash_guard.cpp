#include <tests/interleave/crash_guard.hpp>

#include <tests/interleave/machine.hpp>

namespace troupe::interleave {

namespace {

const char* describe(int signal) noexcept {
  switch (signal) {
    case SIGABRT:
      return "the thread aborted (a failed assertion?)";
    case SIGSEGV:
      return "the thread crashed: SIGSEGV";
    case SIGBUS:
      return "the thread crashed: SIGBUS";
    case SIGFPE:
      return "the thread crashed: SIGFPE";
    case SIGILL:
      return "the thread crashed: SIGILL";
    default:
      return "the thread crashed";
  }
}

void on_signal(int signal) noexcept {
  Machine* machine = Machine::exploring();
  // Leaves the handler by switching to another stack, for good; SA_NODEFER has left no signal blocked.
  if (machine != nullptr && machine->on_fiber()) machine->fail(describe(signal));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

CrashGuard::CrashGuard() : stack_(64 * 1024) {
  stack_t stack{};
  stack.ss_sp = stack_.data();
  stack.ss_size = stack_.size();
  sigaltstack(&stack, &old_stack_);

  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &action, &old_actions_[i]);
}

CrashGuard::~CrashGuard() {
  for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &old_actions_[i], nullptr);
  sigaltstack(&old_stack_, nullptr);
}

}  // namespace troupe::interleave
