#include <tests/interleave/fiber.hpp>

#include <cstdint>
#include <new>
#include <sys/mman.h>

// Saves what the calling convention says a call preserves on the old stack, and takes it from the new one.
// Whether exceptions can be thrown on a fiber is a matter of the frames above `enter`, where unwinding stops.
#if defined(TROUPE_INTERLEAVE_UCONTEXT)
// Nothing to write by hand.
#elif defined(__x86_64__)
asm(R"(
  .text
  .p2align 4
  .local troupe_interleave_switch
  .type troupe_interleave_switch, @function
troupe_interleave_switch:
  .cfi_startproc
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .cfi_endproc
  .size troupe_interleave_switch, . - troupe_interleave_switch

  .p2align 4
  .local troupe_interleave_enter
  .type troupe_interleave_enter, @function
troupe_interleave_enter:
  .cfi_startproc
  .cfi_undefined rip
  movq %r12, %rdi
  callq *%r13
  ud2
  .cfi_endproc
  .size troupe_interleave_enter, . - troupe_interleave_enter
)");
#else
asm(R"(
  .text
  .p2align 4
  .local troupe_interleave_switch
  .type troupe_interleave_switch, %function
troupe_interleave_switch:
  .cfi_startproc
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
  .cfi_endproc
  .size troupe_interleave_switch, . - troupe_interleave_switch

  .p2align 4
  .local troupe_interleave_enter
  .type troupe_interleave_enter, %function
troupe_interleave_enter:
  .cfi_startproc
  .cfi_undefined x30
  mov x0, x19
  blr x20
  brk #0
  .cfi_endproc
  .size troupe_interleave_enter, . - troupe_interleave_enter
)");
#endif

#ifndef TROUPE_INTERLEAVE_UCONTEXT
extern "C" {
void troupe_interleave_switch(void** save_stack_pointer, void* next_stack_pointer) noexcept;
void troupe_interleave_enter() noexcept;
}
#endif

namespace troupe::interleave {

namespace {
constexpr std::size_t guard_bytes = 4096;

std::byte* map_stack() {
  void* memory =
      mmap(nullptr, guard_bytes + Fiber::stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // A thread that overflows its stack shall crash, and so be reported, instead of writing into its neighbour.
  mprotect(memory, guard_bytes, PROT_NONE);
  return static_cast<std::byte*>(memory);
}
}  // namespace

Fiber::~Fiber() {
  if (memory_ != nullptr) munmap(memory_, guard_bytes + stack_bytes);
}

#ifdef TROUPE_INTERLEAVE_UCONTEXT

namespace {
void enter(unsigned entry_low, unsigned entry_high, unsigned argument_low, unsigned argument_high) {
  const auto join = [](unsigned low, unsigned high) {
    return static_cast<std::uintptr_t>(low | (std::uint64_t{high} << 32));
  };
  reinterpret_cast<Fiber::Entry>(join(entry_low, entry_high))(
      reinterpret_cast<void*>(join(argument_low, argument_high)));
}
}  // namespace

void Fiber::start(Entry entry, void* argument) {
  if (memory_ == nullptr) memory_ = map_stack();
  getcontext(&context_);
  context_.uc_stack.ss_sp = memory_ + guard_bytes;
  context_.uc_stack.ss_size = stack_bytes;
  const std::uint64_t from = reinterpret_cast<std::uintptr_t>(entry);
  const std::uint64_t with = reinterpret_cast<std::uintptr_t>(argument);
  makecontext(&context_, reinterpret_cast<void (*)()>(enter), 4, static_cast<unsigned>(from),
              static_cast<unsigned>(from >> 32), static_cast<unsigned>(with), static_cast<unsigned>(with >> 32));
}

void Fiber::switch_to(Fiber& next) noexcept { swapcontext(&context_, &next.context_); }

#else

void Fiber::start(Entry entry, void* argument) {
  if (memory_ == nullptr) memory_ = map_stack();
  auto* top = reinterpret_cast<void**>(memory_ + guard_bytes + stack_bytes);
#ifdef __x86_64__
  top -= 2;  // so that the stack is aligned where `enter` calls
  *--top = reinterpret_cast<void*>(troupe_interleave_enter);
  *--top = nullptr;   // rbp: no frame above
  *--top = nullptr;   // rbx
  *--top = argument;  // r12
  *--top = reinterpret_cast<void*>(entry);
  *--top = nullptr;  // r14
  *--top = nullptr;  // r15
#else
  top -= 20;
  for (int i = 0; i < 20; ++i) top[i] = nullptr;
  top[0] = argument;                                           // x19
  top[1] = reinterpret_cast<void*>(entry);                     // x20
  top[11] = reinterpret_cast<void*>(troupe_interleave_enter);  // x30
#endif
  stack_pointer_ = top;
}

void Fiber::switch_to(Fiber& next) noexcept { troupe_interleave_switch(&stack_pointer_, next.stack_pointer_); }

#endif

}  // namespace troupe::interleave
