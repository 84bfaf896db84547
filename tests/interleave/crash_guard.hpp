// CrashGuard: while it lives, a thread of a scenario that crashes or aborts fails its execution, with
// timeline and replay, instead of ending the test program. Assertions of the code under test are checks like
// any other.
#pragma once

#include <csignal>
#include <cstddef>
#include <iterator>
#include <vector>

namespace troupe::interleave {

class CrashGuard {
 public:
  CrashGuard();
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  static constexpr int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

  // A thread that overflowed its stack has none left to handle the signal on.
  std::vector<std::byte> stack_;
  stack_t old_stack_{};
  struct sigaction old_actions_[std::size(signals)] = {};
};

}  // namespace troupe::interleave
