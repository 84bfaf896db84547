// The test kit: how to test actors, for users of Troupe as well as for Troupe.
//
//   testkit::Stage stage(42);                          // a world with one system in it
//   auto probe = stage.probe<Pong>();                   // an actor that remembers what it is told
//   stage.system().spawn<Pinger>(probe.ref());
//   EXPECT_TRUE(probe.expect<Pong>());
//   stage.advance(5s);                                  // virtual time
//   EXPECT_EQ(stage.check(), "");                       // no message without a fate
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <troupe/core/middleware.hpp>
#include <troupe/core/protocol.hpp>
#include <troupe/runtime/system.hpp>
#include <troupe/runtime/world.hpp>

namespace troupe::testkit {

namespace detail {

template <class... M>
struct Heard {
  std::deque<std::variant<M...>> messages;
};

template <class... M>
class ProbeActor {
 public:
  explicit ProbeActor(std::shared_ptr<Heard<M...>> heard) : heard_(std::move(heard)) {}
  template <class Message>
    requires((std::is_same_v<Message, M> || ...))
  void on(const Message& message) {
    heard_->messages.emplace_back(message);
  }

 private:
  std::shared_ptr<Heard<M...>> heard_;
};

}  // namespace detail

// Remembers the messages it is told, in order. Expecting one runs the world, letting virtual time pass.
template <class... M>
class Probe {
 public:
  using Actor = detail::ProbeActor<M...>;

  Probe(World& world, System& system)
      : world_(&world),
        heard_(std::make_shared<detail::Heard<M...>>()),
        ref_(system.spawn(Props<Actor>(heard_).mailbox(unbounded())).value_or(Ref<Actor>())) {}

  [[nodiscard]] Ref<Actor> ref() const noexcept { return ref_; }
  operator Ref<Protocol<void(M)...>>() const noexcept { return ref_; }

  // The next message, which must be a T.
  template <class T>
  [[nodiscard]] Result<T> expect(Duration within = std::chrono::seconds(1)) {
    if (!world_->run_until([&] { return !heard_->messages.empty(); }, within)) {
      return Error{Code::timeout, (Words() << "no message came; expected " << name_of<T>()).text()};
    }
    auto& next = heard_->messages.front();
    if (!std::holds_alternative<T>(next)) {
      const char* other = std::visit([]<class Other>(const Other&) { return name_of<Other>(); }, next);
      return Error{Code::conflict, (Words() << "expected " << name_of<T>() << ", but " << other << " came").text()};
    }
    T message = std::get<T>(std::move(next));
    heard_->messages.pop_front();
    return message;
  }
  // True: nothing came in this much virtual time.
  [[nodiscard]] bool hears_nothing(Duration within = std::chrono::seconds(1)) {
    return !world_->run_until([&] { return !heard_->messages.empty(); }, within);
  }
  [[nodiscard]] std::size_t size() const noexcept { return heard_->messages.size(); }

 private:
  World* world_;
  std::shared_ptr<detail::Heard<M...>> heard_;
  Ref<Actor> ref_;
};

// Makes handlers fail on purpose: the next time an actor of a class meets a message of a type.
class Faults final : public Middleware {
 public:
  void fail_next(std::string_view actor_type, std::string_view message, Error error = {Code::failed, "injected"});
  // Each message fails with this chance, in a thousand.
  void fail_at_random(World& world, unsigned in_a_thousand) noexcept;

  Result<void> before(const Passing& passing) noexcept override;
  void after(const Passing&) noexcept override {}

 private:
  struct Planned {
    std::string actor_type;
    std::string message;
    Error error;
  };
  std::vector<Planned> planned_;
  World* world_ = nullptr;
  unsigned in_a_thousand_ = 0;
};

// A world with one system, its faults and a check of the law at the end.
class Stage {
 public:
  explicit Stage(std::uint64_t seed = 1, SystemOptions options = {});
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  [[nodiscard]] World& world() noexcept { return world_; }
  [[nodiscard]] System& system() noexcept { return *system_; }
  [[nodiscard]] Faults& faults() noexcept { return faults_; }

  template <class... M>
  [[nodiscard]] Probe<M...> probe() {
    return Probe<M...>(world_, *system_);
  }
  template <class A, class... Arguments>
  Ref<A> spawn(Arguments&&... arguments) {
    return system_->spawn<A>(std::forward<Arguments>(arguments)...);
  }
  template <class A, class Mailbox>
  Result<Ref<A>> spawn(Props<A, Mailbox> props) {
    return system_->spawn(std::move(props));
  }
  template <class R>
  Result<R> wait(Ask<R> ask) {
    return system_->wait(std::move(ask));
  }
  void run_until_idle() { world_.run_until_idle(); }
  void advance(Duration by) { world_.advance(by); }

  // Empty: every message has its fate. Otherwise what does not add up.
  [[nodiscard]] std::string check();

 private:
  World world_;
  Faults faults_;
  std::unique_ptr<System> system_;
};

// The law for one system in a world where nothing runs: sent = handled + rejected + dropped + dead + queued, with the
// queued ones counted one by one.
[[nodiscard]] std::string check_law(const System& system);

}  // namespace troupe::testkit
