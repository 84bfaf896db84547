#include <troupe/runtime/system.hpp>

#include <algorithm>
#include <thread>

#include <troupe/core/alarm.hpp>
#include <troupe/core/cut.hpp>
#include <troupe/core/orders.hpp>
#include <troupe/core/timer.hpp>
#include <troupe/core/turn.hpp>
#include <troupe/runtime/attendant.hpp>
#include <troupe/runtime/depot.hpp>
#include <troupe/runtime/door.hpp>
#include <troupe/runtime/names.hpp>
#include <troupe/runtime/tally.hpp>
#include <troupe/runtime/threads.hpp>

namespace troupe {

namespace {

std::unique_ptr<SystemExecutor> threads_for(SystemOptions& options) {
  if (options.dispatchers.empty()) options.dispatchers.push_back({});
  return std::make_unique<Threads>(options.dispatchers);
}

// An actor, so that it keeps the time of its system, virtual or not, and ends with it.
class FiguresPublisher {
 public:
  FiguresPublisher(System* system, Duration every) : system_(system), every_(every) {}

  Result<void> on(const Started&, Context& context) {
    auto armed = context.every(this, every_, Due{});
    if (!armed.has_value()) return std::unexpected<Error>(std::move(armed.error()));
    return {};
  }
  struct Due {};
  void on(const Due&) { (void)system_->publish_figures(); }

 private:
  System* system_;
  Duration every_;
};

KernelOptions kernel_options(const SystemOptions& options, bool may_block) {
  return {.mailbox = options.mailbox,
          .ask_within = options.ask_within,
          .middleware = options.middleware,
          .may_block = may_block};
}

}  // namespace

// Everything behind a System. Threads that are just telling something share its ownership through their doors.
struct System::Body final : Directory {
  Body(std::unique_ptr<SystemExecutor> own, SystemOptions chosen)
      : options(std::move(chosen)),
        executor(std::move(own)),
        events(executor->clock(), Names::name_of),
        kernel(systems::claim_number(), *executor, executor->clock(), events, this,
               kernel_options(options, executor->may_block()), executor->workers()),
        entrance(*executor, kernel, executor->has_threads()) {
    if (options.dispatchers.empty()) options.dispatchers.push_back({});
  }
  // The last door has gone: until then its thread may count what the system refused it.
  ~Body() { kernel.forget_types(executor->first_worker()); }

  Result<CellRef> claim(std::string_view type, std::string_view id, Open open, void* birth,
                        bool& taken) noexcept override {
    return names.claim(type, id, open, birth, taken);
  }
  void release(Cell& cell) noexcept override { names.release(cell); }
  void unsubscribe(Cell& cell) noexcept override { events.forget({&cell, cell.generation.load(order::relaxed)}); }
  Result<std::uint8_t> dispatcher(std::string_view name, const ActorClass& actor_class) noexcept override {
    if (name.empty()) {
      const auto chosen = options.dispatcher_of.find(actor_class.address_type);
      if (chosen == options.dispatcher_of.end()) return std::uint8_t{0};
      name = chosen->second;
    }
    for (std::size_t i = 0; i < options.dispatchers.size(); ++i) {
      if (options.dispatchers[i].name == name) return static_cast<std::uint8_t>(i);
    }
    Words words;
    words << "no dispatcher is named \"" << name << "\"; there are:";
    for (const DispatcherOptions& known : options.dispatchers) words << " " << known.name;
    return Error{Code::not_found, words.text()};
  }

  // What happened to every message so far. Read the ended ones first: then "as many as were sent" means quiet.
  [[nodiscard]] MessageFigures messages() {
    MessageFigures figures;
    const auto each = [&](auto visit) {
      executor->each_worker([&](Worker& worker, const DispatcherOptions&) { visit(worker.counters); });
    };
    std::uint64_t unstashed = 0;
    each([&](const Counters& counters) {
      figures.handled += counters.handled.value();
      figures.dead += counters.dead.value();
      figures.rejected += counters.rejected.value();
      figures.dropped += counters.dropped.value();
      figures.late += counters.late.value();
      figures.stashed += counters.stashed.value();
      unstashed += counters.unstashed.value();
    });
    OutsideTotals outside = entrance.totals();
    figures.handled += outside.handled;
    figures.dead += outside.dead;
    figures.rejected += outside.rejected;
    figures.dropped += outside.dropped;
    figures.late += outside.late;
    figures.stashed -= unstashed;
    each([&](const Counters& counters) { figures.sent += counters.sent.value(); });
    figures.sent += entrance.totals().sent;
    return figures;
  }
  // Accepted messages whose turn has not ended, the stash aside. Zero means quiet.
  [[nodiscard]] std::uint64_t open_messages() {
    const MessageFigures figures = messages();
    return figures.sent - figures.handled - figures.rejected - figures.dropped - figures.dead - figures.stashed;
  }

  SystemOptions options;
  std::unique_ptr<SystemExecutor> executor;
  Names names;
  EventStream events;
  Kernel kernel;
  Entrance entrance;
  std::unique_ptr<Attendant> attendant;
  bool over = false;
  ShutdownReport report;
};

System::System(SystemOptions options) : System(threads_for(options), options) {}

System::System(std::unique_ptr<SystemExecutor> executor, SystemOptions options)
    : body_(std::make_shared<Body>(std::move(executor), std::move(options))) {
  detail::install_host();
  Body& body = *body_;
  Worker& worker = body.executor->first_worker();
  worker.kernel = &body.kernel;
  worker.system.store(body.kernel.number(), order::relaxed);
  Worker* before = std::exchange(current_worker, &worker);
  const bool opened = body.kernel.number() != 0 && body.kernel.open(worker);
  current_worker = before;
  if (!opened) {
    std::fputs("troupe: no memory, or no number, for another system\n", stderr);
    std::abort();
  }
  systems::enter(body.kernel.number(), std::shared_ptr<Entrance>(body_, &body.entrance));
  body.attendant = std::make_unique<Attendant>(
      *body.executor, body.kernel, body.events,
      Attendant::Options{.slow_after = body.options.slow_handler_after, .print_warnings = body.options.print_warnings});
  body.executor->begin(body.kernel);
  if (body.options.figures_every > Duration::zero()) spawn<FiguresPublisher>(this, body.options.figures_every);
}

System::~System() { (void)shutdown(); }

EventStream& System::events() noexcept { return body_->events; }
Cell& System::guardian() const noexcept { return body_->kernel.guardian(); }
SystemExecutor& System::executor() const noexcept { return *body_->executor; }

Worker* System::entrance() const noexcept {
  return worker_for(static_cast<Generation>(body_->kernel.number()) << system_shift, Host::Errand::message);
}

Error System::ended() noexcept { return {Code::stopped, "the system is shutting down and takes no new actors"}; }

Result<CellRef> System::find_cell(std::string_view address, const ActorClass* actor_class) const {
  auto parsed = Address::parse(address);
  if (!parsed.has_value()) return std::unexpected<Error>(std::move(parsed.error()));
  const auto found = body_->names.find(parsed->text());
  const bool right = found.has_value() &&
                     (actor_class == nullptr || found->cell->type.load(order::relaxed)->actor_class == actor_class);
  if (!right) return Error{Code::not_found, (Words() << "no actor is named " << address).text()};
  return *found;
}

Result<AnyRef> System::find(std::string_view address) const {
  auto found = find_cell(address, nullptr);
  if (!found.has_value()) return std::unexpected<Error>(std::move(found.error()));
  return AnyRef(*found);
}

std::string System::address_of(const AnyRef& actor) const {
  if (!actor.names_somebody()) return "nobody";
  if (auto name = Names::name_of(actor.cell()); !name.empty()) return name;
  const CellRef cell = actor.cell();
  const Type* type = type_of_life(cell);
  const bool here = type != nullptr && system_of(cell.generation) == body_->kernel.number();
  const std::string kind(here ? type->actor_class->address_type : std::string_view("actor"));
  return kind + ":~" + std::to_string(reinterpret_cast<std::uintptr_t>(cell.cell) >> 4) + "." +
         std::to_string(cell.generation & 0xffffffff);
}

Figures System::figures() const {
  Body& body = *body_;
  Figures figures;
  figures.messages = body.messages();
  MessageFigures& messages = figures.messages;
  messages.queued = messages.sent - messages.handled - messages.rejected - messages.dropped - messages.dead;
  tally::add_up(figures, body.kernel, *body.executor);
  return figures;
}

Result<ActorFigures> System::figures_of(const AnyRef& actor) const {
  const CellRef cell = actor.cell();
  const bool here = system_of(cell.generation) == body_->kernel.number();
  const bool lives = here && cell.cell->generation.load(order::acquire) == cell.generation &&
                     (cell.cell->word.load(order::acquire) & mailbox::closed) == 0;
  if (!lives) return Error{Code::stopped, "an actor that has ended, or is of another system, has no figures here"};
  return tally::of_actor(cell, body_->executor->clock().now());
}

DeliveryReport System::publish_figures() { return events().publish(figures()); }

std::size_t System::actors() const {
  std::size_t count = 0;
  const std::uint16_t number = body_->kernel.number();
  Depot::shared().each_cell([&](Cell& cell) {
    const bool here = system_of(cell.generation.load(order::relaxed)) == number;
    if (here && (cell.word.load(order::relaxed) & mailbox::closed) == 0) ++count;
  });
  return count == 0 ? 0 : count - 1;  // the guardian is none of the user's
}

std::uint64_t System::count_queued() const {
  std::uint64_t count = 0;
  Depot::shared().each_cell([&](Cell& cell) {
    if (system_of(cell.generation.load(order::relaxed)) == body_->kernel.number()) count += turns::waiting(cell);
  });
  return count;
}

ShutdownReport System::shutdown() { return shutdown(body_->options.shutdown_within); }

ShutdownReport System::shutdown(Duration within) {
  Body& body = *body_;
  ShutdownReport& report = body.report;
  if (current_worker->running != nullptr) return {.drained = false, .left = body.open_messages(), .forced = false};
  if (std::exchange(body.over, true)) return report;
  Clock& clock = body.executor->clock();
  const Instant began = clock.now();
  const Instant deadline = after(began, within);
  body.entrance.close();
  while (!body.kernel.roots_have_joined()) std::this_thread::yield();

  Atomic<std::uint32_t> nothing{0};
  // False: a world has come to the end of its steps, and nothing will happen any more.
  const auto pause = [&] {
    const Instant now = clock.now();
    (void)body.executor->wait(nothing, after(now, std::chrono::microseconds(200)));
    return body.executor->has_threads() || clock.now() != now;
  };
  while (body.open_messages() != 0 && clock.now() < deadline && pause()) {
  }
  report.left = body.open_messages();
  report.drained = report.left == 0;
  report.left += body.messages().stashed;
  if (report.left > 0) body.kernel.publish({.kind = EventKind::not_drained, .number = report.left});

  Cell& guardian = body.kernel.guardian();
  const Generation life = guardian.generation.load(order::relaxed);
  orders::order_stop(guardian, life, StopReason::shutdown, !report.drained);
  while (body.kernel.ended.load(order::acquire) == 0) {
    if (clock.now() >= deadline && !report.forced) {
      report.forced = true;
      report.stuck = body.attendant->being_handled();
      orders::order_stop(guardian, life, StopReason::shutdown, true);
    }
    if (pause()) continue;
    body.over = false;
    cut_off();
    report.forced = true;
    return report;
  }
  body.executor->end();
  body.attendant.reset();  // before anybody touches a worker whose thread has ended: it might just be relieving it
  Worker& worker = body.executor->first_worker();
  body.executor->each_worker([](Worker& each, const DispatcherOptions&) { alarms::discard_all(each); });
  Worker* before = std::exchange(current_worker, &worker);
  body.kernel.close(worker);
  current_worker = before;
  systems::leave(body.kernel.number());
  report.took = Duration(static_cast<Duration::rep>(clock.now() - began));
  return report;
}

void System::cut_off() {
  Body& body = *body_;
  if (body.executor->has_threads() || std::exchange(body.over, true)) return;
  body.entrance.close();
  systems::leave(body.kernel.number());
  Worker& worker = body.executor->first_worker();
  Worker* before = std::exchange(current_worker, &worker);
  worker.system.store(Worker::no_system, order::relaxed);
  worker.muted = true;
  life::cut_all(worker, body.kernel);
  alarms::discard_all(worker);
  body.attendant.reset();
  body.kernel.close(worker);
  body.executor->end();
  current_worker = before;
}

namespace detail {

Error nobody_answered(const char* actor, const char* message) noexcept {
  return {Code::timeout,
          (Words() << "a thread waited for " << actor << " to answer " << message << " until the deadline").text()};
}

Error waits_on_a_worker() noexcept {
  return {Code::invalid, "wait blocks a worker's thread and with it other actors: use co_await in a handler"};
}

Error answer_is_taken() noexcept {
  return {Code::invalid, "this future gave its answer before: keep what the first get returned"};
}

}  // namespace detail

}  // namespace troupe
