// System: the scope that actors live in.
//
//   troupe::System system;
//   auto greeter = system.spawn<Greeter>();
//   auto greeting = system.wait(greeter.ask<Greet>("World"));
//
// It starts its worker threads by itself and, at the end of its scope, stops its actors: intake closes, what is queued
// is handled, children stop before their parents. References do not leave the scope: `run` refuses to return one, and
// one that escaped otherwise is refused.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <troupe/core/props.hpp>
#include <troupe/runtime/dispatcher.hpp>
#include <troupe/runtime/event_stream.hpp>
#include <troupe/runtime/figures.hpp>
#include <troupe/runtime/host.hpp>
#include <troupe/runtime/wait.hpp>

namespace troupe {

struct SystemOptions {
  // The first one is the default. Leave empty for one with two threads.
  std::vector<DispatcherOptions> dispatchers{};
  // Actor type, as in addresses, to dispatcher.
  std::map<std::string, std::string, std::less<>> dispatcher_of{};
  MailboxOptions mailbox{};
  Duration ask_within = std::chrono::seconds(30);
  Duration shutdown_within = std::chrono::seconds(10);
  Duration slow_handler_after = std::chrono::milliseconds(100);
  bool print_warnings = true;
  Duration figures_every{};          // calls publish_figures; zero: only the program does
  Middleware* middleware = nullptr;  // around every message of every actor; it must outlive the system
};

// What was left when a shutdown ended.
struct ShutdownReport {
  bool drained = true;             // everything that was queued has been handled
  std::uint64_t left = 0;          // messages that became dead letters instead, stashed ones included
  bool forced = false;             // the deadline passed
  std::vector<std::string> stuck;  // handlers that ran beyond the deadline
  Duration took{};
};

class System {
 public:
  System() : System(SystemOptions{}) {}
  explicit System(SystemOptions options);
  // On another executor, e.g. one of a testkit World.
  System(std::unique_ptr<SystemExecutor> executor, SystemOptions options);
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  ~System();

  // Spawns a root actor. The short form cannot be refused for a name; while the system shuts down its reference
  // refuses every message.
  template <class A, class... Arguments>
  Ref<A> spawn(Arguments&&... arguments) {
    Worker* worker = entrance();
    if (worker == nullptr) return Ref<A>();
    auto spawned = detail::spawn_plainly<A>(*worker, guardian(), std::forward<Arguments>(arguments)...);
    return spawned.has_value() ? Ref<A>(*spawned) : Ref<A>();
  }
  template <class A, class Mailbox>
  Result<Ref<A>> spawn(Props<A, Mailbox> props) {
    Worker* worker = entrance();
    if (worker == nullptr) return ended();
    return std::move(props).spawn(*worker, guardian());
  }
  // The actor of that name, spawned if there is none: however many race, one instance.
  template <class A, class Mailbox>
  Result<Ref<A>> spawn_once(Props<A, Mailbox> props) {
    Worker* worker = entrance();
    if (worker == nullptr) return ended();
    return std::move(props).spawn(*worker, guardian(), true);
  }

  // Asks from outside: blocks until the answer, the refusal or the deadline. Not on a worker's thread.
  template <class R>
  [[nodiscard]] Result<R> wait(Ask<R> ask) {
    if constexpr (std::is_void_v<R>) {
      if (ask.request().for_room && asks::send_now(ask.request())) return {};
    }
    return future(std::move(ask)).get();
  }
  template <class R>
  [[nodiscard]] Future<R> future(Ask<R> ask) {
    return Future<R>(executor(), std::move(ask));
  }

  // By address; `find<Cart>("7")` is `cart:7`.
  template <class A>
  [[nodiscard]] Result<Ref<A>> find(std::string_view id) const {
    auto found = find_cell(std::string(address_type_of<A>()) + ":" + std::string(id), &detail::class_of<A>);
    if (!found.has_value()) return std::unexpected<Error>(std::move(found.error()));
    return Ref<A>(*found);
  }
  [[nodiscard]] Result<AnyRef> find(std::string_view address) const;
  // `cart:7`, or the type and a number for an actor without a name.
  [[nodiscard]] std::string address_of(const AnyRef& actor) const;

  [[nodiscard]] EventStream& events() noexcept;
  template <class M>
  DeliveryReport publish(const M& message) {
    return events().publish(message);
  }

  [[nodiscard]] Figures figures() const;
  // Of one actor that lives.
  [[nodiscard]] Result<ActorFigures> figures_of(const AnyRef& actor) const;
  // Tells the figures to the actors that subscribed to them: `events().subscribe_to<Figures>(actor)`.
  DeliveryReport publish_figures();
  [[nodiscard]] std::size_t actors() const;
  // Messages that wait, one by one; exact only while nothing runs, as in a test.
  [[nodiscard]] std::uint64_t count_queued() const;

  // Stops intake, drains, stops every actor; at the deadline by force. The destructor does it if nobody did. Called again
  // it reports the same. In a handler it does nothing, since it would wait for that handler: nothing is drained then.
  ShutdownReport shutdown(Duration within);
  ShutdownReport shutdown();
  // As by a power failure, in a World: frames and instances are destroyed, no hook runs, nothing is sent.
  void cut_off();

 private:
  // NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): it is final, which is not seen from here
  struct Body;

  [[nodiscard]] Worker* entrance() const noexcept;
  [[nodiscard]] Cell& guardian() const noexcept;
  [[nodiscard]] SystemExecutor& executor() const noexcept;
  [[nodiscard]] Result<CellRef> find_cell(std::string_view address, const ActorClass* actor_class) const;
  [[nodiscard]] static Error ended() noexcept;

  std::shared_ptr<Body> body_;
};

}  // namespace troupe
