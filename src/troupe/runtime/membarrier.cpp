#include <troupe/runtime/membarrier.hpp>

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace troupe::membarrier {

namespace {

bool call(int command) noexcept { return syscall(SYS_membarrier, command, 0, 0) == 0; }

// The expedited one takes microseconds. Where it is missing, the plain one takes milliseconds and is as good.
int choose() noexcept {
  if (call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)) return MEMBARRIER_CMD_PRIVATE_EXPEDITED;
  return call(MEMBARRIER_CMD_GLOBAL) ? MEMBARRIER_CMD_GLOBAL : MEMBARRIER_CMD_QUERY;
}

int command() noexcept {
  static const int chosen = choose();
  return chosen;
}

}  // namespace

bool available() noexcept { return command() != MEMBARRIER_CMD_QUERY; }
void everywhere() noexcept { (void)call(command()); }

}  // namespace troupe::membarrier
