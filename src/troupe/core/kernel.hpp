// Kernel: the part of a system that every executor shares.
//
// It numbers the system, knows its actor types, holds the guardian (the parent of all roots) and says where events,
// names and time come from. The runtime's System and the device's StaticSystem each own one.
#pragma once

#include <cstdint>
#include <string_view>

#include <troupe/core/clock.hpp>
#include <troupe/core/event.hpp>
#include <troupe/core/overflow.hpp>
#include <troupe/core/worker.hpp>

namespace troupe {

class Middleware;

// Whether a OneOf has an alternative of that kind.
using HasBehaviour = bool (*)(const char* kind) noexcept;

// What a cell knows of its actor's C++ class; one constant for each class.
struct ActorClass {
  const char* name;
  std::string_view address_type;
  std::size_t state_bytes;
  void (*destroy)(void* actor) noexcept;
  // Lifecycle overloads; null where the class has none.
  Deliver started;
  Deliver stopping;
  Deliver restarting;
  Deliver child_failed;
  Deliver terminated;
  HasBehaviour has_behaviour;    // of a OneOf; else null
  Atomic<std::uint16_t>* index;  // among all classes of the process; given at first use
};

// An actor class within one system.
struct Type {
  Kernel* kernel;
  const ActorClass* actor_class;
  TypeCounters* counters;  // one for each worker
  RefusalCounters* refusals;
  Type* next;
  std::uint8_t dispatcher;  // where its actors run unless their Props name another
  SizeClass size_class;
};

// The class of a life that may have ended; null if the cell has another one. A new life stores its generation before its
// type, so whoever acquires the new type sees the new generation.
[[nodiscard]] inline const Type* type_of_life(CellRef life) noexcept {
  const Type* type = life.cell->type.load(order::acquire);
  return life.cell->generation.load(order::relaxed) == life.generation ? type : nullptr;
}

// Names, dispatchers and subscriptions belong to the layer above; a device has none of them.
class Directory {
 public:
  // Claims a name and opens the actor under it, in one step: `open` is called with the name's record while nobody else
  // can claim it. A name that is taken yields its holder instead, and `taken` is set.
  using Open = Result<CellRef> (*)(void* birth, const void* name);
  virtual Result<CellRef> claim(std::string_view type, std::string_view id, Open open, void* birth,
                                bool& taken) noexcept = 0;
  // The actor has closed: its name is free again.
  virtual void release(Cell& cell) noexcept = 0;
  // The dispatcher for an actor: by name, or by its class where the name is empty.
  virtual Result<std::uint8_t> dispatcher(std::string_view name, const ActorClass& actor_class) noexcept = 0;
  // An actor's subscriptions end with its instance.
  virtual void unsubscribe(Cell& cell) noexcept = 0;

 protected:
  ~Directory() = default;
};

struct KernelOptions {
  MailboxOptions mailbox{};
  Duration ask_within = std::chrono::seconds(30);
  Middleware* middleware = nullptr;  // around every message of every actor
  bool may_block = true;             // Overflow::block needs senders that can wait
};

class Kernel {
 public:
  Kernel(std::uint16_t number, Executor& executor, Clock& clock, EventSink& events, Directory* directory,
         const KernelOptions& options, std::uint16_t workers) noexcept;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  // The record of an actor class in this system, made at its first use; null: no memory.
  [[nodiscard]] Type* type_of(const ActorClass& actor_class) noexcept {
    const std::uint16_t index = actor_class.index->load(order::acquire);
    Type* type = index < max_types ? types_[index].load(order::acquire) : nullptr;
    return type != nullptr ? type : new_type(actor_class);
  }
  [[nodiscard]] Type* first_type() const noexcept { return all_types_.load(order::acquire); }

  void publish(const Event& event) noexcept {
    if (events_->wants(event.kind)) events_->publish(event);
  }
  [[nodiscard]] bool wants(EventKind kind) const noexcept { return events_->wants(kind); }

  [[nodiscard]] std::uint16_t number() const noexcept { return number_; }
  [[nodiscard]] std::uint16_t workers() const noexcept { return workers_; }
  [[nodiscard]] Executor& executor() const noexcept { return *executor_; }
  [[nodiscard]] Clock& clock() const noexcept { return *clock_; }
  [[nodiscard]] Directory* directory() const noexcept { return directory_; }
  [[nodiscard]] const KernelOptions& options() const noexcept { return options_; }
  [[nodiscard]] Cell& guardian() const noexcept { return *guardian_; }

  // Makes the guardian; on a worker of this system. False: no memory.
  [[nodiscard]] bool open(Worker& worker) noexcept;
  // The guardian goes; every actor has ended or was cut off.
  void close(Worker& worker) noexcept;
  // So do the records of actor classes, once no thread can be about to count something there.
  void forget_types(Worker& worker) noexcept;

  // Shutdown: roots are refused from here on and timers tick no more. Whoever closes the doors calls it.
  void begin_closing() noexcept { closing.store(true, order::seq_cst); }
  // Who spawns a root counts it and then looks at `closing`; who shuts down sets that and then looks at the count. All
  // four are sequentially consistent, so at least one sees the other: the root is refused or waited for.
  [[nodiscard]] bool admit_root() noexcept {
    spawning.fetch_add(1, order::seq_cst);
    if (!closing.load(order::seq_cst)) return true;
    root_joined();
    return false;
  }
  // It is in the guardian's list, or will never be.
  void root_joined() noexcept { spawning.fetch_sub(1, order::release); }
  [[nodiscard]] bool roots_have_joined() const noexcept { return spawning.load(order::seq_cst) == 0; }

  Atomic<bool> closing{false};
  Atomic<std::uint32_t> spawning{0};  // roots that were admitted and have not joined yet
  Atomic<std::uint32_t> ended{0};     // the guardian has closed: no actor is left

 private:
  static constexpr std::uint16_t max_types = 1024;
  [[gnu::cold]] Type* new_type(const ActorClass& actor_class) noexcept;

  Executor* executor_;
  Clock* clock_;
  EventSink* events_;
  Directory* directory_;
  KernelOptions options_;
  Cell* guardian_ = nullptr;
  std::uint16_t number_;
  std::uint16_t workers_;
  Atomic<Type*> all_types_{nullptr};
  Atomic<Type*> types_[max_types]{};
};

}  // namespace troupe
