// ActorOptions: all that Props can say about an actor besides its class and arguments.
#pragma once

#include <cstdint>

#include <troupe/core/clock.hpp>
#include <troupe/core/overflow.hpp>
#include <troupe/core/supervision.hpp>

namespace troupe {

class Middleware;

struct ActorOptions {
  static constexpr unsigned most_middleware = 4;

  MailboxOptions mailbox{};
  bool own_mailbox = false;    // false: the system's default
  std::uint8_t max_turns = 1;  // open at once; more than one: reentrant
  Policy policy{};
  StartPolicy start{};
  Duration stop_within = std::chrono::seconds(10);
  std::uint32_t stash_capacity = 64;
  bool measured = false;  // it has figures of its own
  Middleware* middleware[most_middleware] = {};
  bool too_much_middleware = false;  // more than that: the spawn is refused
};

// How an actor is made, and made again.
struct Recipe {
  const ActorOptions* options;
  // Builds the actor; on failure writes the error and returns false. Called in the actor's own turn.
  bool (*construct)(Recipe& self, void* state, Error& error);
  void (*dispose)(Recipe& self) noexcept;  // null: it is static and lasts
};

}  // namespace troupe
