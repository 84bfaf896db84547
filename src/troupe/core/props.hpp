// Props: how an actor is to be made and treated, as a chain.
//
//   Props<Cart>(payments, 500)
//       .named("cart")
//       .mailbox(bounded(100, Overflow::drop_oldest))
//       .on_failure(one_for_one(Directive::restart).at_most(3, 60s))
//
// The arguments are kept, so that a restart can make the actor again from the same ones.
#pragma once

#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include <troupe/core/context.hpp>
#include <troupe/core/delivery.hpp>
#include <troupe/core/life.hpp>
#include <troupe/core/options.hpp>
#include <troupe/core/ref.hpp>

namespace troupe {

namespace detail {

template <class A>
void check_actor() {
  static_assert(std::is_class_v<A> && !std::is_const_v<A>, "an actor is a plain class");
  static_assert(std::is_nothrow_destructible_v<A>, "an actor's destructor must not throw");
  static_assert(alignof(A) <= 16, "an actor is aligned to at most 16 bytes: keep over-aligned data behind a pointer");
  static_assert(sizeof(A) <= largest_state, "an actor's state is at most 64 KiB: keep larger data behind a pointer");
}

// A recipe that keeps its options and the actor's arguments; from the worker's pools.
template <class A, class Make>
struct KeptRecipe : Recipe {
  ActorOptions kept_options;
  SizeClass size_class;
  Make make;

  KeptRecipe(const ActorOptions* shared, const ActorOptions& own, SizeClass block, Make&& maker)
      : Recipe{.options = shared != nullptr ? shared : &kept_options, .construct = &construct_actor, .dispose = &free},
        kept_options(own),
        size_class(block),
        make(std::move(maker)) {}

  static bool construct_actor(Recipe& self, void* state, [[maybe_unused]] Error& error) {
#if defined(__cpp_exceptions)
    try {
      static_cast<KeptRecipe&>(self).make(state);
      return true;
    } catch (...) {
      error = caught();
      return false;
    }
#else
    static_cast<KeptRecipe&>(self).make(state);
    return true;
#endif
  }
  static void free(Recipe& self) noexcept {
    auto& recipe = static_cast<KeptRecipe&>(self);
    const SizeClass block = recipe.size_class;
    recipe.~KeptRecipe();
    memory_here()->free(&recipe, block);
  }
};

template <class A, class... Arguments>
void construct_at(void* state, Arguments&&... arguments) {
  if constexpr (std::is_constructible_v<A, Arguments&&...>) {
    new (state) A(std::forward<Arguments>(arguments)...);
  } else {
    new (state) A{std::forward<Arguments>(arguments)...};
  }
}

// Copies the arguments each time. What can only be moved makes one instance; a restart then finds it empty, so such
// an actor should be given a factory instead.
template <class A, class... Arguments>
struct FromArguments {
  std::tuple<Arguments...> arguments;

  void operator()(void* state) {
    std::apply(
        [state](auto&... kept) {
          if constexpr ((std::is_copy_constructible_v<Arguments> && ...)) {
            construct_at<A>(state, std::as_const(kept)...);
          } else {
            construct_at<A>(state, std::move(kept)...);
          }
        },
        arguments);
  }
};

template <class A, class Factory>
struct FromFactory {
  Factory factory;
  void operator()(void* state) { new (state) A(factory()); }
};

template <class A>
bool construct_default(Recipe&, void* state, [[maybe_unused]] Error& error) {
#if defined(__cpp_exceptions)
  try {
    construct_at<A>(state);
    return true;
  } catch (...) {
    error = caught();
    return false;
  }
#else
  construct_at<A>(state);
  return true;
#endif
}

inline constexpr ActorOptions default_options{};

// For an actor without arguments and options: one recipe for all of them.
template <class A>
inline constinit Recipe default_recipe{
    .options = &default_options, .construct = &construct_default<A>, .dispose = nullptr};

template <class A, class Make>
[[nodiscard]] Recipe* make_recipe(Worker& worker, const ActorOptions* shared, const ActorOptions& own, Make&& make) {
  using Kind = KeptRecipe<A, std::remove_cvref_t<Make>>;
  static_assert(alignof(Kind) <= 64);
  constexpr SizeClass size_class = size_class_of(sizeof(Kind));
  static_assert(size_class != 0, "the arguments are too large to keep: pass a pointer");
  void* memory = worker.allocate(size_class);
  if (memory == nullptr) return nullptr;
  return new (memory) Kind(shared, own, size_class, std::forward<Make>(make));
}

// Spawns with a recipe, which goes where the spawn is refused. Null: there was no memory for it.
[[nodiscard]] Result<CellRef> spawn_with(Worker& worker, const ActorClass& actor_class, Recipe* recipe,
                                         Cell& parent) noexcept;

// What Props says beyond its recipe's options.
struct Wish {
  const ActorClass* actor_class;
  Recipe* recipe;
  std::string_view name;
  std::string_view dispatcher;
  bool or_existing;  // a taken name yields its holder
};
[[nodiscard]] Result<CellRef> spawn_wish(Worker& worker, const Wish& wish, Cell& parent) noexcept;

template <class A, class... Arguments>
[[nodiscard]] Result<CellRef> spawn_plainly(Worker& worker, Cell& parent, Arguments&&... arguments) {
  check_actor<A>();
  if constexpr (sizeof...(Arguments) == 0) {
    return spawn_with(worker, class_of<A>, &default_recipe<A>, parent);
  } else {
    FromArguments<A, std::decay_t<Arguments>...> make{{std::forward<Arguments>(arguments)...}};
    return spawn_with(worker, class_of<A>, make_recipe<A>(worker, &default_options, {}, std::move(make)), parent);
  }
}

}  // namespace detail

// `Mailbox` is what the compiler knows of its mailbox: BlockingMailbox, or MailboxOptions for any other.
template <class A, class Mailbox>
class Props {
 public:
  template <class... Arguments>
  explicit Props(Arguments&&... arguments) : make_(nullptr) {
    detail::check_actor<A>();
    using Make = detail::FromArguments<A, std::decay_t<Arguments>...>;
    store(Make{{std::forward<Arguments>(arguments)...}});
  }
  // A factory that is called for each instance.
  template <class Factory>
  [[nodiscard]] static Props from(Factory factory) {
    Props props(Nothing{});
    props.store(detail::FromFactory<A, Factory>{std::move(factory)});
    return props;
  }
  Props(Props&& other) noexcept : Props(Nothing{}, std::move(other)) {}
  // Forgets what the compiler knows of the mailbox; `spawn` still looks at it.
  template <class Other>
    requires std::is_same_v<Mailbox, MailboxOptions>
  Props(Props<A, Other>&& other) noexcept : Props(Nothing{}, std::move(other)) {}
  Props& operator=(Props&&) = delete;
  ~Props() {
    if (make_ != nullptr) make_->dispose(*make_);
  }

  [[nodiscard]] Props named(Text id) && {
    name_ = std::move(id);
    return std::move(*this);
  }
  [[nodiscard]] Props<A> mailbox(const MailboxOptions& options) && {
    return std::move(*this).template with_mailbox<MailboxOptions>(options);
  }
  [[nodiscard]] Props<A, BlockingMailbox> mailbox(const BlockingMailbox& options) && {
    return std::move(*this).template with_mailbox<BlockingMailbox>(options);
  }
  [[nodiscard]] Props dispatcher(Text name) && {
    dispatcher_ = std::move(name);
    return std::move(*this);
  }
  [[nodiscard]] Props on_failure(const Policy& policy) && {
    options_.policy = policy;
    return std::move(*this);
  }
  [[nodiscard]] Props on_start_failure(const StartPolicy& policy) && {
    options_.start = policy;
    return std::move(*this);
  }
  // Up to so many turns may be open at once: other messages run while a handler waits.
  [[nodiscard]] Props reentrant(std::uint8_t open_turns) && {
    options_.max_turns = open_turns == 0 ? std::uint8_t{1} : open_turns;
    return std::move(*this);
  }
  [[nodiscard]] Props stash(std::uint32_t capacity) && {
    options_.stash_capacity = capacity;
    return std::move(*this);
  }
  // How long the stop hook may take before it is cut short.
  [[nodiscard]] Props stop_within(Duration duration) && {
    options_.stop_within = duration;
    return std::move(*this);
  }
  // Counts this actor's messages, runs and waiting time apart from those of its class: System::figures_of.
  [[nodiscard]] Props measured() && {
    options_.measured = true;
    return std::move(*this);
  }
  // Runs around every message, in the order given; it must outlive the system.
  [[nodiscard]] Props through(Middleware& middleware) && {
    for (Middleware*& place : options_.middleware) {
      if (place != nullptr) continue;
      place = &middleware;
      return std::move(*this);
    }
    options_.too_much_middleware = true;
    return std::move(*this);
  }

  // For whoever spawns.
  [[nodiscard]] Result<Ref<A>> spawn(Worker& worker, Cell& parent, bool or_existing = false) && {
    auto spawned = detail::spawn_wish(worker,
                                      {.actor_class = &detail::class_of<A>,
                                       .recipe = release(),
                                       .name = name_.view(),
                                       .dispatcher = dispatcher_.view(),
                                       .or_existing = or_existing},
                                      parent);
    if (!spawned.has_value()) return std::unexpected<Error>(std::move(spawned.error()));
    return Ref<A>(*spawned);
  }

 private:
  template <class Same, class Other>
  friend class Props;

  struct Nothing {};
  explicit Props(Nothing) : make_(nullptr) {}
  template <class Other>
  Props(Nothing, Props<A, Other>&& other) noexcept
      : options_(other.options_),
        name_(std::move(other.name_)),
        dispatcher_(std::move(other.dispatcher_)),
        make_(std::exchange(other.make_, nullptr)) {}

  template <class Chosen>
  [[nodiscard]] Props<A, Chosen> with_mailbox(const MailboxOptions& options) && {
    options_.mailbox = options;
    options_.own_mailbox = true;
    return Props<A, Chosen>(typename Props<A, Chosen>::Nothing{}, std::move(*this));
  }

  // The recipe with these options, to own; null: no memory.
  [[nodiscard]] Recipe* release() noexcept {
    if (make_ != nullptr) *const_cast<ActorOptions*>(make_->options) = options_;
    return std::exchange(make_, nullptr);
  }

  template <class Make>
  void store(Make make) {
    Worker* worker = memory_here();
    if (worker != nullptr) make_ = detail::make_recipe<A>(*worker, nullptr, options_, std::move(make));
  }

  ActorOptions options_{};
  Text name_;
  Text dispatcher_;
  Recipe* make_;
};

template <class A, class... Arguments>
Ref<A> Context::spawn(Arguments&&... arguments) {
  Worker& worker = *current_worker;
  auto spawned = detail::spawn_plainly<A>(worker, *worker.running, std::forward<Arguments>(arguments)...);
  return spawned.has_value() ? Ref<A>(*spawned) : Ref<A>();
}

template <class A, class Mailbox>
Result<Ref<A>> Context::spawn(Props<A, Mailbox> props) {
  return std::move(props).spawn(*current_worker, *current_worker->running);
}

template <class A, class Mailbox>
Result<Ref<A>> Context::spawn_once(Props<A, Mailbox> props) {
  return std::move(props).spawn(*current_worker, *current_worker->running, true);
}

}  // namespace troupe
