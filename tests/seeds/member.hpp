// Member: the one actor class of the random program.
#pragma once

#include <utility>

#include "program.hpp"

namespace troupe::seeds {

class Member {
 public:
  struct Birth {
    std::uint64_t number;
    std::uint64_t parent;
    std::uint64_t dice;
    std::uint8_t turns;
  };

  Member(Ledger* ledger, const Birth& birth);
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;
  ~Member();

  Result<void> on(const Started& started, Context& context);
  void on(const Stopping& stopping);
  void on(const Restarting& restarting);
  void on(const Terminated& terminated);
  void on(const ChildFailed& failed);

  Task<void> on(const Do& order, Context& context);
  Task<int> on(const Question& question, Context& context);
  void on(const Wake& wake, Context& context);

 private:
  // Marks a turn as open for as long as its frame lives.
  class Turn {
   public:
    explicit Turn(Member& member);
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();

   private:
    Ledger& ledger_;
    std::uint64_t number_;
  };

  // A key for one life of a cell. It is only looked up: no order of addresses may show in a run.
  using LifeOf = std::pair<const Cell*, Generation>;
  [[nodiscard]] static LifeOf life_of(const AnyRef& actor) noexcept;
  [[nodiscard]] Ref<Member> pick(SeededRandom& dice) const;
  void tell(SeededRandom& dice, unsigned depth);
  void spawn(SeededRandom& dice, Context& context);
  void trouble(SeededRandom& dice, Context& context);
  void check_order(const Do& order);
  void end_hook();
  Task<void> ask(std::uint64_t seed, unsigned depth);
  Task<void> send(std::uint64_t seed, unsigned depth);

  Ledger& ledger_;
  Birth birth_;
  std::uint64_t instance_;
  bool over_ = false;
  std::map<LifeOf, std::uint64_t> sent_;             // to an actor: how many
  std::map<std::uint64_t, std::uint64_t> received_;  // from an instance and lane: the newest
  std::set<LifeOf> watching_;
};

// A member with random but legal options, as a child or as a root.
Result<Ref<Member>> spawn_member(Ledger& ledger, SeededRandom& dice, std::uint64_t parent, Context* context,
                                 System* system);

}  // namespace troupe::seeds
