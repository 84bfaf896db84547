// The small nouns of core, each by itself.
#include <troupe/core/budget.hpp>
#include <troupe/core/envelope.hpp>
#include <troupe/core/error.hpp>
#include <troupe/core/event.hpp>
#include <troupe/core/memory.hpp>
#include <troupe/core/text.hpp>
#include <troupe/core/timer_key.hpp>
#include <troupe/core/type_name.hpp>
#include <troupe/core/world_test.hpp>

namespace shop {

struct RuleChain {};
struct HTTPServer {};
struct Cart {
  static constexpr std::string_view type = "shopping-cart";
};
template <class T>
struct Box {};

}  // namespace shop

namespace troupe {
namespace {

using namespace std::chrono_literals;

TEST(TypeName, AR_01_it_is_the_unqualified_name) {
  EXPECT_STREQ(name_of<shop::RuleChain>(), "RuleChain");
  EXPECT_STREQ(name_of<int>(), "int");
}
TEST(TypeName, AR_01_the_address_type_is_kebab_case_or_what_the_class_says) {
  EXPECT_EQ(address_type_of<shop::RuleChain>(), "rule-chain");
  EXPECT_EQ(address_type_of<shop::HTTPServer>(), "http-server");
  EXPECT_EQ(address_type_of<shop::Cart>(), "shopping-cart");
  EXPECT_EQ(address_type_of<shop::Box<int>>(), "box-int");
}

TEST(Memory, FR_005_a_size_class_is_the_smallest_that_holds_the_bytes) {
  for (std::size_t bytes = 1; bytes <= (std::size_t{1} << 20); bytes += bytes < 9000 ? 1 : 997) {
    const SizeClass size_class = size_class_of(bytes);
    ASSERT_NE(size_class, 0) << bytes;
    ASSERT_LT(size_class, first_cell_class) << bytes;
    ASSERT_GE(block_bytes(size_class), bytes);
    ASSERT_LT(size_class == 1 ? 0 : block_bytes(static_cast<SizeClass>(size_class - 1)), bytes) << bytes;
  }
  EXPECT_EQ(size_class_of((std::size_t{1} << 20) + 1), 0) << "too large";
}
TEST(Memory, FR_005_a_cell_class_is_the_smallest_that_holds_the_state) {
  for (std::size_t bytes = 0; bytes <= largest_state; bytes += bytes < 2000 ? 1 : 333) {
    const SizeClass cell_class = cell_class_of(bytes);
    ASSERT_GE(cell_class, first_cell_class);
    ASSERT_LT(cell_class, side_class) << bytes;
    ASSERT_GE(state_bytes_of(cell_class), bytes);
    if (cell_class > first_cell_class) {
      ASSERT_LT(state_bytes_of(static_cast<SizeClass>(cell_class - 1)), bytes) << bytes;
    }
  }
}

TEST(Text, FR_006_a_literal_is_kept_by_address_and_other_words_are_copied) {
  World world;
  const char* literal = "a literal";
  const Text kept = Text::lasting(literal);
  EXPECT_EQ(kept.c_str(), literal);
  std::string words = "some words";
  const Text copied{std::string_view(words)};
  words = "other words";
  EXPECT_EQ(copied.view(), "some words");
  const Text shared = copied;  // NOLINT(performance-unnecessary-copy-initialization): the copy is what is looked at
  EXPECT_EQ(shared.c_str(), copied.c_str());
}
TEST(Text, FR_006_assignment_shares_and_gives_back) {
  World world;
  Text one{std::string_view("one")};
  Text other{std::string_view("other")};
  one = other;
  other = Text("literal");
  EXPECT_EQ(one.view(), "other");
  one = std::move(other);
  EXPECT_EQ(one.view(), "literal");
}
TEST(Text, FR_005_without_memory_the_words_are_lost_never_the_error) {
  World world({.kernel = {}, .bytes = 4096});
  std::vector<Error> errors;
  while (world.memory_left() >= 64) errors.emplace_back(Code::failed, Text(std::string_view("words")));
  const Error last{Code::denied, Text(std::string_view("more words"))};
  EXPECT_EQ(last.code(), Code::denied);
  EXPECT_FALSE(last.text().empty());
}
TEST(Words, FR_006_they_join_texts_and_numbers_and_stop_at_their_capacity) {
  World world;
  EXPECT_EQ((Words() << "mailbox of " << "Cart" << " is full (" << 64 << ")").text().view(),
            "mailbox of Cart is full (64)");
  EXPECT_EQ((Words() << 0).text().view(), "0");
  EXPECT_EQ((Words() << ~std::uint64_t{0}).text().view(), "18446744073709551615");
  Words many;
  for (int i = 0; i < 1000; ++i) many << "word ";
  EXPECT_EQ(many.text().view().size(), 384u);
}

TEST(Error, FR_006_the_code_gives_the_severity_and_the_author_may_set_it) {
  EXPECT_EQ(Error(Code::invalid).severity(), Severity::refusal);
  EXPECT_EQ(Error(Code::cycle).severity(), Severity::refusal);
  EXPECT_EQ(Error(Code::failed).severity(), Severity::failure);
  EXPECT_EQ(Error(Code::exhausted).severity(), Severity::failure);
  EXPECT_EQ(Error(Code::invalid).with(Severity::fatal).severity(), Severity::fatal);
}
TEST(Error, FR_006_it_carries_retry_advice_a_window_and_the_applications_class) {
  static constexpr ErrorClass declined{"declined"};
  static constexpr ErrorClass other{"declined"};
  const Error error = Error{Code::unavailable, "bank"}.with(Retry::later, 2s, 1min).with(declined);
  EXPECT_EQ(error.retry(), Retry::later);
  EXPECT_EQ(error.retry_after(), 2s);
  EXPECT_EQ(error.window(), 1min);
  EXPECT_TRUE(error.is(declined));
  EXPECT_FALSE(error.is(other)) << "compared by address";
  EXPECT_EQ(Error(Code::failed).retry(), Retry::never);
}
TEST(Error, FR_016_every_enumeration_prints) {
  for (unsigned i = 0; i < event_kinds; ++i) {
    EXPECT_NE(to_string(static_cast<EventKind>(i)), "?") << i;
  }
  EXPECT_EQ(to_string(Code::exhausted), "exhausted");
  EXPECT_EQ(to_string(DeadReason::expired), "expired");
  EXPECT_EQ(to_string(StopReason::idle), "idle");
  EXPECT_EQ(to_string(Directive::escalate), "escalate");
  EXPECT_EQ(to_string(Fate::exhausted), "exhausted");
  EXPECT_EQ(to_string(Severity::fatal), "fatal");
}

TEST(TimerKey, AR_17_numbers_names_and_own_keys_never_meet) {
  EXPECT_EQ(TimerKey("poll"), TimerKey("poll"));
  EXPECT_NE(TimerKey("poll"), TimerKey("pull"));
  EXPECT_NE(TimerKey(7), TimerKey::own(7));
  EXPECT_FALSE(TimerKey());
  EXPECT_TRUE(TimerKey(std::uint64_t{0})) << "a number is a key, zero too";
}

TEST(Budget, AR_10_it_has_room_for_so_many_in_a_window_that_slides) {
  World world;
  Cell cell;
  Side side;
  cell.side.store(&side);
  side.budget = budgets::make(world.worker(), one_for_one().at_most(2, Duration(100)));
  ASSERT_NE(side.budget, nullptr);
  for (Instant now : {Instant{1000}, Instant{1060}}) {
    EXPECT_TRUE(budgets::has_room(cell, now));
    budgets::charge(cell, now);
  }
  EXPECT_FALSE(budgets::has_room(cell, 1099));
  EXPECT_TRUE(budgets::has_room(cell, 1100)) << "the first is a window old";
  budgets::charge(cell, 1100);
  EXPECT_FALSE(budgets::has_room(cell, 1159));
  EXPECT_TRUE(budgets::has_room(cell, 1160));
  budgets::free(world.worker(), *side.budget);
}

std::vector<int> numbers(const Mail& mail, const Envelope* first) {
  std::vector<int> found;
  mail.each([&](const Envelope& envelope) { found.push_back(static_cast<int>(&envelope - first)); });
  return found;
}

TEST(Mail, AR_04_it_is_a_queue_with_a_way_in_at_both_ends) {
  Envelope envelopes[5]{};
  Mail mail;
  EXPECT_TRUE(mail.empty());
  mail.append(&envelopes[1]);
  mail.append(&envelopes[2]);
  mail.prepend(&envelopes[0]);
  mail.append(&envelopes[3]);
  EXPECT_EQ(numbers(mail, envelopes), (std::vector<int>{0, 1, 2, 3}));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(mail.pop(), &envelopes[i]);
  EXPECT_TRUE(mail.empty());
  mail.prepend(&envelopes[4]);
  mail.append(&envelopes[0]);
  EXPECT_EQ(numbers(mail, envelopes), (std::vector<int>{4, 0}));
}

TEST(EnvelopeList, AR_04_a_list_goes_in_front_of_another_in_its_order) {
  Envelope envelopes[4]{};
  EnvelopeList front;
  EnvelopeList back;
  front.append(&envelopes[0]);
  front.append(&envelopes[1]);
  back.append(&envelopes[3]);
  back.prepend(&envelopes[2]);
  back.prepend(front);
  EXPECT_TRUE(front.empty());
  for (Envelope& envelope : envelopes) EXPECT_EQ(back.pop(), &envelope);
  EXPECT_TRUE(back.empty());
}

TEST(Clock, AR_17_time_does_not_wrap) {
  EXPECT_EQ(after(5, Duration(-1)), 5u);
  EXPECT_EQ(after(5, Duration(3)), 8u);
  EXPECT_EQ(after(end_of_time - 10, Duration(100)), end_of_time - 1);
  EXPECT_LT(after(1, Duration::max()), end_of_time);
}

}  // namespace
}  // namespace troupe
