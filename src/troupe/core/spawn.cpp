#include <new>

#include <troupe/core/budget.hpp>
#include <troupe/core/kernel.hpp>
#include <troupe/core/life.hpp>
#include <troupe/core/mailbox.hpp>
#include <troupe/core/orders.hpp>
#include <troupe/core/props.hpp>
#include <troupe/core/report.hpp>
#include <troupe/core/side.hpp>
#include <troupe/core/turn.hpp>

namespace troupe::life {

namespace {

void prepare_cell(Cell& cell, Generation generation, const Birth& birth, Type* type) noexcept {
  const ActorOptions& options = *birth.recipe->options;
  cell.generation.store(generation, order::relaxed);
  cell.dispatcher.store(birth.dispatcher, order::relaxed);
  cell.life = Life::starting;
  cell.blocked = Cell::not_running;
  cell.pending = Cell::to_start;
  if (options.middleware[0] != nullptr || type->kernel->options().middleware != nullptr) {
    cell.need(Cell::middleware);
  }
  cell.open_turns = 0;
  cell.max_turns = options.max_turns;
  cell.mail = {};
  cell.waits.store(0, order::relaxed);
  cell.open = nullptr;
  cell.type.store(type, order::release);  // after the generation: see type_of_life
  cell.parent = birth.parent;
  cell.recipe = birth.recipe;
  cell.report.store(0, order::relaxed);
  cell.incarnation = 0;
  cell.marks = 0;
}

// What senders or the parent must find from the first moment cannot be made on demand.
bool needs_side(const Birth& birth, const MailboxOptions& mailbox) noexcept {
  const ActorOptions& options = *birth.recipe->options;
  return birth.name != nullptr || options.policy.may_restart() || options.policy.scope() == Policy::Scope::all ||
         options.start.present() || options.measured || mailbox.locked() || mailbox.overflow == Overflow::grow;
}

bool prepare_side(Worker& worker, Cell& cell, const Birth& birth, const MailboxOptions& mailbox) noexcept {
  Side* side = side_of(worker, cell);
  if (side == nullptr) return false;
  const ActorOptions& options = *birth.recipe->options;
  side->name = birth.name;
  side->measured.store(options.measured, order::relaxed);
  if (mailbox.locked()) side->capacity = mailbox.capacity;
  if (mailbox.overflow == Overflow::grow) side->capacity = mailbox.maximum;
  side->closed = !mailbox.locked();
  if (options.start.present()) {
    side->attempt = 1;
    side->first_attempt = worker.now;
  }
  if (!options.policy.may_restart()) return true;
  side->budget = budgets::make(worker, options.policy);
  return side->budget != nullptr;
}

void give_back(Worker& worker, Cell& cell) noexcept {
  if (Side* side = cell.side.exchange(nullptr, order::relaxed)) {
    if (side->budget != nullptr) budgets::free(worker, *side->budget);
    worker.free_stable(side, side_class);
  }
  worker.free_stable(&cell, cell.cell_class);
}

Generation next_life(const Cell& cell, const Kernel& kernel) noexcept {
  constexpr Generation lives = (Generation{1} << system_shift) - 1;
  const Generation life = (cell.generation.load(order::relaxed) + 1) & lives;
  return life | static_cast<Generation>(kernel.number()) << system_shift;
}

// A parent that ends takes no children.
bool takes_children(Kernel& kernel, Cell& parent) noexcept {
  if (&parent != &kernel.guardian()) return parent.life != Life::ending && parent.life != Life::closed;
  return kernel.admit_root();
}

}  // namespace

namespace {

void reset(Side& side) noexcept {
  side.name = nullptr;
  side.first_child = nullptr;
  side.children = side.high_run = side.stashed = side.attempt = 0;
  side.reporters.store(nullptr, order::relaxed);
  side.newcomers.store(nullptr, order::relaxed);
  side.watchers = side.watches = nullptr;
  side.notices = side.high = side.stash = {};
  side.next_deadline = end_of_time;
  side.budget = nullptr;
  side.to_redeliver = nullptr;
  side.failed_message = "";
  side.first_attempt = 0;
  side.retry_after = {};
  side.behaviour = nullptr;
  side.suspended_since.store(end_of_time, order::relaxed);
  side.measured.store(false, order::relaxed);
  for (Counter* counter : {&side.suspensions, &side.suspended_ns, &side.processed, &side.runs, &side.waited}) {
    counter->reset();
  }
}

}  // namespace

Side* side_of(Worker& worker, Cell& cell) noexcept {
  Side* side = cell.side.load(order::relaxed);
  if (side != nullptr) return side;
  void* memory = worker.allocate_stable(side_class);
  return memory == nullptr ? nullptr : &open_side(cell, memory);
}

Side& open_side(Cell& cell, void* memory) noexcept {
  auto* side = static_cast<Side*>(memory);
  // A sender with a stale reference may hold this very lock: what it reads changes under it, the rest is ours.
  side->lock.lock();
  side->cell = &cell;
  side->generation = cell.generation.load(order::relaxed);
  side->rung = false;
  side->closed = true;
  side->count = 0;
  side->capacity = 0;
  side->list = {};
  side->unstarted_for = nullptr;
  side->lock.unlock();
  side->bell = {};
  side->bell.deliver = turns::bell;
  reset(*side);
  cell.side.store(side, order::release);
  return *side;
}

namespace {

Result<CellRef> open_cell(Worker& worker, const Birth& birth) noexcept {
  Kernel& kernel = *worker.kernel;
  Type* type = kernel.type_of(*birth.actor_class);
  const SizeClass cell_class = cell_class_of(birth.actor_class->state_bytes);
  void* memory = type == nullptr ? nullptr : worker.allocate_stable(cell_class);
  const bool root = birth.parent == &kernel.guardian();
  if (memory == nullptr || (!root && side_of(worker, *birth.parent) == nullptr)) {
    if (memory != nullptr) worker.free_stable(memory, cell_class);
    return Error{Code::exhausted, "no memory for another actor: raise the system's limits"};
  }
  Cell& cell = *static_cast<Cell*>(memory);
  Memory::unpoison(cell.state(), state_bytes_of(cell_class));
  cell.cell_class = cell_class;
  const Generation generation = next_life(cell, kernel);
  prepare_cell(cell, generation, birth, type);
  const MailboxOptions& mailbox = mailbox_of(cell);
  if (needs_side(birth, mailbox) && !prepare_side(worker, cell, birth, mailbox)) {
    give_back(worker, cell);
    return Error{Code::exhausted, "no memory for another actor: raise the system's limits"};
  }
  if (!root) reports::link_child(*birth.parent, cell);
  mailbox::open(cell, generation, mailbox);
  if (root) reports::join_guardian(worker, *birth.parent, cell);
  worker.schedule(cell);
  return CellRef{&cell, generation};
}

}  // namespace

Result<CellRef> spawn(Worker& worker, const Birth& birth) noexcept {
  Kernel& kernel = *worker.kernel;
  if (!takes_children(kernel, *birth.parent)) {
    return Error{Code::stopped, "the parent is ending, or the system is shutting down: it takes no new actors"};
  }
  Result<CellRef> spawned = open_cell(worker, birth);
  if (birth.parent == &kernel.guardian()) kernel.root_joined();
  return spawned;
}

}  // namespace troupe::life

namespace troupe::detail {

namespace {

Result<void> check(const Kernel& kernel, const ActorOptions& options) noexcept {
  const MailboxOptions& mailbox = options.own_mailbox ? options.mailbox : kernel.options().mailbox;
  if (options.too_much_middleware) {
    return Error{Code::invalid, "an actor has at most four pieces of middleware: let one call the others"};
  }
  if (mailbox.capacity == 0) return Error{Code::invalid, "a mailbox holds at least one message"};
  if (mailbox.overflow == Overflow::block && !kernel.options().may_block) {
    return Error{Code::unsupported,
                 "Overflow::block needs senders that can wait, which this executor has not: use reject"};
  }
  const bool grows = mailbox.overflow == Overflow::grow;
  if (grows && (mailbox.maximum > MailboxOptions::largest || mailbox.maximum < mailbox.capacity)) {
    return Error{Code::invalid, "a mailbox grows from its capacity to a maximum of at most 65,000 messages"};
  }
  if (mailbox.overflow == Overflow::block && mailbox.locked()) {
    return Error{Code::invalid, "a mailbox whose senders wait holds at most 65,000 messages"};
  }
  constexpr std::uint32_t counted = 65'535;  // by the mailbox word
  const bool listed = mailbox.locked() || !mailbox.bounded();
  const std::uint32_t normal = listed ? 0 : grows ? mailbox.maximum : mailbox.capacity;
  if (mailbox.reserve > counted - normal) {
    return Error{Code::invalid, "a mailbox's capacity and reserve are together at most 65,535 messages"};
  }
  return {};
}

struct Named {
  Worker& worker;
  life::Birth birth;
};

// `used`: the recipe belongs to an actor now.
Result<CellRef> spawn_named(Worker& worker, const Wish& wish, const life::Birth& birth, bool& used) noexcept {
  Directory* directory = worker.kernel->directory();
  if (directory == nullptr) return Error{Code::unsupported, "this system has no names: spawn without one"};
  Named named{worker, birth};
  bool taken = false;
  auto claimed = directory->claim(
      wish.actor_class->address_type, wish.name,
      [](void* context, const void* name) {
        auto& self = *static_cast<Named*>(context);
        self.birth.name = name;
        return life::spawn(self.worker, self.birth);
      },
      &named, taken);
  used = claimed.has_value() && !taken;
  if (!taken) return claimed;
  const auto say = [&](Code code, std::string_view what) {
    return Error{code, (Words() << wish.actor_class->address_type << ":" << wish.name << what).text()};
  };
  if (!wish.or_existing) return say(Code::already_exists, " exists already");
  const Type* type = type_of_life(*claimed);
  if (type != nullptr && type->actor_class != wish.actor_class)
    return say(Code::conflict, " is an actor of another class");
  if (type == nullptr || (claimed->cell->orders.load(order::acquire) & orders::stop) != 0) {
    return say(Code::stopped, " is stopping: try again after its Terminated");
  }
  return claimed;
}

Result<CellRef> spawn_checked(Worker& worker, const Wish& wish, Cell& parent, bool& used) noexcept {
  Kernel& kernel = *worker.kernel;
  Result<void> checked = check(kernel, *wish.recipe->options);
  if (!checked.has_value()) return std::unexpected<Error>(std::move(checked.error()));
  Type* type = kernel.type_of(*wish.actor_class);
  if (type == nullptr)
    return Error{Code::exhausted, "no memory for another class of actors, or more than a thousand of them"};
  std::uint8_t dispatcher = type->dispatcher;
  if ((!wish.dispatcher.empty() || dispatcher == Cell::nowhere) && kernel.directory() != nullptr) {
    auto named = kernel.directory()->dispatcher(wish.dispatcher, *wish.actor_class);
    if (!named.has_value()) return std::unexpected<Error>(std::move(named.error()));
    dispatcher = *named;
  }
  const life::Birth birth{
      .actor_class = wish.actor_class, .recipe = wish.recipe, .parent = &parent, .dispatcher = dispatcher};
  if (!wish.name.empty()) return spawn_named(worker, wish, birth, used);
  auto spawned = life::spawn(worker, birth);
  used = spawned.has_value();
  return spawned;
}

}  // namespace

Result<CellRef> spawn_with(Worker& worker, const ActorClass& actor_class, Recipe* recipe, Cell& parent) noexcept {
  return spawn_wish(worker,
                    {.actor_class = &actor_class, .recipe = recipe, .name = {}, .dispatcher = {}, .or_existing = false},
                    parent);
}

Result<CellRef> spawn_wish(Worker& worker, const Wish& wish, Cell& parent) noexcept {
  if (wish.recipe == nullptr) return Error{Code::exhausted, "no memory to keep the actor's arguments"};
  bool used = false;
  auto spawned = spawn_checked(worker, wish, parent, used);
  if (!used && wish.recipe->dispose != nullptr) wish.recipe->dispose(*wish.recipe);
  return spawned;
}

}  // namespace troupe::detail
