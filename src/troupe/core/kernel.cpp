#include <troupe/core/kernel.hpp>

#include <new>

#include <troupe/core/life.hpp>
#include <troupe/core/mailbox.hpp>
#include <troupe/core/options.hpp>
#include <troupe/core/report.hpp>
#include <troupe/core/side.hpp>
#include <troupe/core/turn.hpp>

namespace troupe {

namespace {

constinit Atomic<std::uint16_t> classes{0};
constinit Atomic<std::uint16_t> guardian_index{0xffff};

// The guardian has no instance: it only keeps the roots and applies their policies.
constinit const ActorClass guardian_class{.name = "Guardian",
                                          .address_type = "guardian",
                                          .state_bytes = 0,
                                          .destroy = nullptr,
                                          .started = nullptr,
                                          .stopping = nullptr,
                                          .restarting = nullptr,
                                          .child_failed = nullptr,
                                          .terminated = nullptr,
                                          .has_behaviour = nullptr,
                                          .index = &guardian_index};
constexpr ActorOptions guardian_options{};
constinit Recipe guardian_recipe{.options = &guardian_options, .construct = nullptr, .dispose = nullptr};

std::uint16_t index_of(const ActorClass& actor_class) noexcept {
  std::uint16_t index = actor_class.index->load(order::acquire);
  if (index != 0xffff) return index;
  const auto fresh = static_cast<std::uint16_t>(classes.fetch_add(1, order::relaxed));
  // Of two that race one number is lost, which costs nothing.
  return actor_class.index->compare_exchange_strong(index, fresh, order::acq_rel, order::acquire) ? fresh : index;
}

}  // namespace

Kernel::Kernel(std::uint16_t number, Executor& executor, Clock& clock, EventSink& events, Directory* directory,
               const KernelOptions& options, std::uint16_t workers) noexcept
    : executor_(&executor),
      clock_(&clock),
      events_(&events),
      directory_(directory),
      options_(options),
      number_(number),
      workers_(workers) {}

Type* Kernel::new_type(const ActorClass& actor_class) noexcept {
  const std::uint16_t index = index_of(actor_class);
  Worker* worker = worker_for(static_cast<Generation>(number_) << system_shift, Host::Errand::control);
  if (index >= max_types || worker == nullptr) return nullptr;
  constexpr std::size_t header = (sizeof(Type) + 63) / 64 * 64;
  const SizeClass size_class = size_class_of(header + workers_ * sizeof(TypeCounters) + sizeof(RefusalCounters));
  void* memory = size_class == 0 ? nullptr : worker->allocate(size_class);
  if (memory == nullptr) return nullptr;
  auto* counters = reinterpret_cast<TypeCounters*>(static_cast<std::byte*>(memory) + header);
  for (unsigned i = 0; i < workers_; ++i) new (counters + i) TypeCounters;
  auto* refusals = new (counters + workers_) RefusalCounters;
  std::uint8_t dispatcher = 0;
  if (directory_ != nullptr) {
    auto chosen = directory_->dispatcher({}, actor_class);
    dispatcher = chosen.value_or(Cell::nowhere);  // whoever spawns is told
  }
  auto* type = new (memory) Type{.kernel = this,
                                 .actor_class = &actor_class,
                                 .counters = counters,
                                 .refusals = refusals,
                                 .next = nullptr,
                                 .dispatcher = dispatcher,
                                 .size_class = size_class};
  Type* known = nullptr;
  if (!types_[index].compare_exchange_strong(known, type, order::acq_rel, order::acquire)) {
    worker->free(memory, size_class);
    return known;
  }
  type->next = all_types_.load(order::relaxed);
  while (!all_types_.compare_exchange_weak(type->next, type, order::release, order::relaxed)) {
  }
  return type;
}

bool Kernel::open(Worker& worker) noexcept {
  Type* type = type_of(guardian_class);
  void* memory = type == nullptr ? nullptr : worker.allocate_stable(cell_class_of(0));
  if (memory == nullptr) return false;
  auto& cell = *static_cast<Cell*>(memory);
  const Generation life = (cell.generation.load(order::relaxed) + 1) & ((Generation{1} << system_shift) - 1);
  const Generation generation = life | static_cast<Generation>(number_) << system_shift;
  cell.dispatcher.store(0, order::relaxed);
  cell.life = Life::running;
  cell.blocked = cell.pending = cell.open_turns = cell.marks = 0;
  cell.max_turns = 1;
  cell.mail = {};
  cell.open = nullptr;
  cell.parent = nullptr;
  cell.recipe = &guardian_recipe;
  cell.cell_class = cell_class_of(0);
  cell.incarnation = 0;
  cell.generation.store(generation, order::relaxed);
  cell.type.store(type, order::release);  // after the generation: see type_of_life
  cell.waits.store(0, order::relaxed);
  cell.report.store(0, order::relaxed);
  if (life::side_of(worker, cell) == nullptr) return false;
  mailbox::open(cell, generation, options_.mailbox);
  mailbox::shut(cell);  // nobody tells the guardian anything
  const auto word = cell.word.load(order::relaxed);
  (void)mailbox::rest(cell, word);
  guardian_ = &cell;
  return true;
}

void Kernel::close(Worker& worker) noexcept {
  Cell& cell = *guardian_;
  (void)mailbox::close(cell);
  cell.life = Life::closed;
  if (Side* side = cell.side.exchange(nullptr, order::relaxed)) {
    side->lock.lock();
    side->cell = nullptr;
    side->lock.unlock();
    worker.free_stable(side, side_class);
  }
  worker.free_stable(&cell, cell.cell_class);
}

void Kernel::forget_types(Worker& worker) noexcept {
  Type* type = all_types_.exchange(nullptr, order::acquire);
  while (type != nullptr) {
    Type* next = type->next;
    worker.free(type, type->size_class);
    type = next;
  }
}

}  // namespace troupe
