#include "member.hpp"

#include <stdexcept>

namespace troupe::seeds {

using namespace std::chrono_literals;

namespace {

constexpr Severity random_severity(SeededRandom& dice) {
  return dice.below(6) == 0 ? Severity::fatal : Severity::failure;
}

Policy random_policy(SeededRandom& dice) {
  static constexpr Directive directives[] = {Directive::restart, Directive::restart_in_place, Directive::stop,
                                             Directive::resume, Directive::escalate};
  if (dice.below(4) == 0) return {};
  const Directive directive = directives[dice.below(5)];
  const Policy policy = dice.below(3) == 0 ? all_for_one(directive) : one_for_one(directive);
  const Policy bounded_policy = policy.at_most(static_cast<std::uint16_t>(1 + dice.below(3)), 60s);
  return dice.below(4) == 0 ? bounded_policy.redelivering() : bounded_policy;
}

MailboxOptions random_mailbox(SeededRandom& dice) {
  const auto capacity = static_cast<std::uint32_t>(1 + dice.below(6));
  switch (dice.below(6)) {
    case 0:
      return bounded(capacity, Overflow::drop_newest);
    case 1:
      return bounded(capacity, Overflow::drop_oldest);
    case 2:
      return growing(capacity, capacity * 4);
    case 3:
      return bounded(capacity, Overflow::block);
    case 4:
      return unbounded();
    default:
      return bounded(capacity);
  }
}

StartPolicy random_start(SeededRandom& dice) {
  switch (dice.below(3)) {
    case 0:
      return retry_start().at_most(3, 60s);
    case 1:
      return StartPolicy([](const StartFailure&) { return start_again(); }).at_most(2, 60s);
    default:
      return {};
  }
}

// Counts an ask for as long as its frame lives: a stop destroys it unanswered, a deadline does not.
class OpenAsk {
 public:
  explicit OpenAsk(Ledger& ledger) : ledger_(ledger) { ++ledger_.asks_open; }
  OpenAsk(const OpenAsk&) = delete;
  OpenAsk& operator=(const OpenAsk&) = delete;
  ~OpenAsk() { --ledger_.asks_open; }

 private:
  Ledger& ledger_;
};

std::string named(std::uint64_t number, std::string_view what) {
  return "member " + std::to_string(number) + " " + std::string(what);
}

}  // namespace

Result<Ref<Member>> spawn_member(Ledger& ledger, SeededRandom& dice, std::uint64_t parent, Context* context,
                                 System* system) {
  const std::uint64_t number = ledger.next_member++;
  const auto turns = static_cast<std::uint8_t>(dice.below(5) == 0 ? 3 : 1);
  auto props =
      Props<Member>(&ledger, Member::Birth{.number = number, .parent = parent, .dice = dice.next(), .turns = turns})
          .mailbox(random_mailbox(dice))
          .on_failure(random_policy(dice))
          .on_start_failure(random_start(dice))
          .reentrant(turns)
          .stash(static_cast<std::uint32_t>(1 + dice.below(4)));
  auto spawned = context != nullptr ? context->spawn(std::move(props)) : system->spawn(std::move(props));
  if (spawned.has_value()) ledger.members.push_back(*spawned);
  return spawned;
}

Member::Turn::Turn(Member& member) : ledger_(member.ledger_), number_(member.birth_.number) {
  const int open = ++ledger_.open_turns[number_];
  if (open > member.birth_.turns) ledger_.complain(named(number_, "has a second turn open"));
  if (member.over_) ledger_.complain(named(number_, "handles a message after its end hook"));
}
Member::Turn::~Turn() { --ledger_.open_turns[number_]; }

Member::Member(Ledger* ledger, const Birth& birth)
    : ledger_(*ledger), birth_(birth), instance_(ledger->next_instance++) {
  if (++ledger_.instances[birth.number] > 1) ledger_.complain(named(birth.number, "has two instances"));
  ledger_.parent_of[birth.number] = birth.parent;
  SeededRandom dice(birth.dice + instance_);
  if (dice.below(12) == 0) {
    --ledger_.instances[birth.number];
    throw std::runtime_error("constructor");
  }
}

Member::~Member() {
  --ledger_.instances[birth_.number];
  if (ledger_.open_turns[birth_.number] != 0) {
    ledger_.complain(named(birth_.number, "is destroyed while a turn of it is open"));
  }
  for (const auto& [number, alive] : ledger_.instances) {
    if (alive > 0 && ledger_.parent_of[number] == birth_.number) {
      ledger_.complain(named(birth_.number, "is destroyed before its child " + std::to_string(number)));
    }
  }
}

Result<void> Member::on(const Started& started, Context& context) {
  over_ = false;
  SeededRandom dice(birth_.dice + started.attempt * 7 + started.incarnation * 13 + instance_);
  if (dice.below(3) == 0) spawn(dice, context);
  if (dice.below(10) == 0) return Error{Code::failed, "start"};
  return {};
}

void Member::on(const Stopping&) { end_hook(); }
void Member::on(const Restarting&) { end_hook(); }

void Member::end_hook() {
  if (ledger_.cut) ledger_.complain(named(birth_.number, "runs a hook although the power has failed"));
  if (over_) ledger_.complain(named(birth_.number, "has two end hooks"));
  over_ = true;
  if (ledger_.open_turns[birth_.number] != 0) ledger_.complain(named(birth_.number, "ends with a turn open"));
  for (const auto& [number, alive] : ledger_.instances) {
    if (alive > 0 && ledger_.parent_of[number] == birth_.number) {
      ledger_.complain(named(birth_.number, "runs its end hook before its child has ended"));
    }
  }
  received_.clear();
}

void Member::on(const Terminated& terminated) {
  if (ledger_.open_turns[birth_.number] != 0) {
    ledger_.complain(named(birth_.number, "is told Terminated inside an open turn"));
  }
  if (!watching_.erase(life_of(terminated.who)))
    ledger_.complain(named(birth_.number, "is told Terminated without a watch"));
}

void Member::on(const ChildFailed&) {
  if (ledger_.open_turns[birth_.number] != 0) {
    ledger_.complain(named(birth_.number, "is told ChildFailed inside an open turn"));
  }
}

Member::LifeOf Member::life_of(const AnyRef& actor) noexcept { return {actor.cell().cell, actor.cell().generation}; }

Ref<Member> Member::pick(SeededRandom& dice) const { return ledger_.members[dice.below(ledger_.members.size())]; }

void Member::tell(SeededRandom& dice, unsigned depth) {
  const Ref<Member> target = pick(dice);
  const bool high = dice.below(5) == 0;
  Do order{.dice = dice.next(),
           .depth = depth - 1,
           .from = instance_ * 2 + (high ? 1 : 0),
           .count = ++sent_[life_of(target)],
           .body = Body(ledger_)};
  (void)(high ? target.tell_high(std::move(order)) : target.tell(std::move(order)));
}

void Member::spawn(SeededRandom& dice, Context& context) {
  if (ledger_.members.size() < 24) (void)spawn_member(ledger_, dice, birth_.number, &context, nullptr);
}

// Order within one lane from one sender; a stash breaks it on purpose.
void Member::check_order(const Do& order) {
  std::uint64_t& newest = received_[order.from];
  if (order.count <= newest && !ledger_.has_stashed.contains(birth_.number)) {
    ledger_.complain(named(birth_.number, "sees message " + std::to_string(order.count) + " of instance " +
                                              std::to_string(order.from / 2) + " after " + std::to_string(newest)));
  }
  newest = std::max(newest, order.count);
}

void Member::trouble(SeededRandom& dice, Context& context) {
  const Ref<Member> other = pick(dice);
  switch (dice.below(9)) {
    case 0:
      other.stop();
      break;
    case 1:
      if (dice.below(3) == 0) other.force_stop();
      break;
    case 2:
      if (dice.below(2) == 0) other.drain();
      break;
    case 3:
      other.suspend();
      ledger_.suspended.push_back(other);
      break;
    case 4:
      other.start_again();
      break;
    case 5:
      if (other.cell() != context.self().cell() && context.watch(other).has_value()) watching_.insert(life_of(other));
      break;
    case 6:
      context.unwatch(other);
      watching_.erase(life_of(other));
      break;
    case 7:
      (void)context.after(this, std::chrono::milliseconds(dice.below(2000)), Wake{}, TimerKey(dice.below(3)));
      break;
    default:
      spawn(dice, context);
  }
}

Task<void> Member::ask(std::uint64_t seed, unsigned depth) {
  SeededRandom dice(seed);
  const Ref<Member> target = pick(dice);
  const std::uint64_t inner = dice.next();
  const OpenAsk open(ledger_);
  auto answer = co_await as_result(target.ask<Question>(inner, depth - 1, Body(ledger_)).within(2s));
  if (answer.has_value() && *answer != static_cast<int>(inner % 1000)) {
    ledger_.complain(named(birth_.number, "got another question's answer"));
  }
}

Task<void> Member::send(std::uint64_t seed, unsigned depth) {
  SeededRandom dice(seed);
  const Ref<Member> target = pick(dice);
  const std::uint64_t inner = dice.next();
  auto sent = co_await as_result(target.send<Do>(inner, depth - 1, 0u, 0u, Body(ledger_)).within(2s));
  (void)sent;
}

Task<void> Member::on(const Do& order, Context& context) {
  const Turn turn(*this);
  SeededRandom dice(order.dice);
  if (order.from != 0) check_order(order);
  if (context.stashed() > 0 && dice.below(2) == 0) context.unstash();
  if (dice.below(10) == 0 && order.depth > 0 && ledger_.spend()) {
    ledger_.has_stashed.insert(birth_.number);
    auto put_aside = context.stash();
    if (put_aside.has_value()) co_return;
  }
  const unsigned actions = order.depth == 0 ? 0 : static_cast<unsigned>(1 + dice.below(3));
  for (unsigned i = 0; i < actions && ledger_.spend(); ++i) {
    switch (dice.below(6)) {
      case 0:
      case 1:
        tell(dice, order.depth);
        break;
      case 2: {
        co_await ask(dice.next(), order.depth);
        break;
      }
      case 3: {
        co_await send(dice.next(), order.depth);
        break;
      }
      default:
        trouble(dice, context);
    }
  }
  if (dice.below(8) == 0) co_await Result<void>(Error{Code::failed, "handler"}.with(random_severity(dice)));
  if (dice.below(16) == 0) throw std::runtime_error("handler");
}

Task<int> Member::on(const Question& question, Context& context) {
  const Turn turn(*this);
  SeededRandom dice(question.dice);
  if (question.depth > 0 && dice.below(3) == 0) co_await ask(dice.next(), question.depth);
  if (dice.below(12) == 0) co_return Error{Code::failed, "question"};
  if (dice.below(12) == 0) co_return Error{Code::invalid, "question"};
  if (dice.below(20) == 0) context.stop();
  co_return static_cast<int>(question.dice % 1000);
}

void Member::on(const Wake&, Context& context) {
  const Turn turn(*this);
  context.unstash();
}

}  // namespace troupe::seeds
