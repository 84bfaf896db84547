#include <troupe/runtime/futex.hpp>

#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace troupe::futex {

namespace {

static_assert(sizeof(Atomic<std::uint32_t>) == sizeof(std::uint32_t));

void call(Atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* length) noexcept {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation | FUTEX_PRIVATE_FLAG, value, length, nullptr,
          0);
}

}  // namespace

void wait(Atomic<std::uint32_t>& word, std::uint32_t expected, Duration length) noexcept {
  if (length <= Duration::zero()) return;
  constexpr std::int64_t second = 1'000'000'000;
  const timespec limit{.tv_sec = length.count() / second, .tv_nsec = length.count() % second};
  call(word, FUTEX_WAIT, expected, &limit);
}

void wait(Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept { call(word, FUTEX_WAIT, expected, nullptr); }

void wake_one(Atomic<std::uint32_t>& word) noexcept { call(word, FUTEX_WAKE, 1, nullptr); }

}  // namespace troupe::futex
