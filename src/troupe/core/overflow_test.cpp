// Each overflow policy's exact behaviour. `block` has its own file, send_test.cpp.
#include <troupe/core/overflow.hpp>

#include <troupe/core/world_test.hpp>

namespace troupe {
namespace {

struct Note {
  int number;
};
struct Other {};
struct Get {};

struct Clerk {
  std::vector<int>* seen;
  void on(const Note& note) { seen->push_back(note.number); }
  void on(const Other&) { seen->push_back(-1); }
  int on(const Get&) { return 42; }
};

struct Office {
  std::vector<int> seen;
  World world;
  Ref<Clerk> clerk;
  explicit Office(const MailboxOptions& options) : clerk(world.spawn(Props<Clerk>(&seen).mailbox(options))) {
    world.run();
  }
  std::vector<Fate> tell(int from, int to) {
    std::vector<Fate> fates;
    for (int i = from; i <= to; ++i) fates.push_back(clerk.tell<Note>(i).fate());
    return fates;
  }
};

TEST(Overflow, FR_015_reject_refuses_the_newest_counts_it_and_says_so) {
  Office office(bounded(2, Overflow::reject));
  EXPECT_EQ(office.tell(1, 3), (std::vector<Fate>{Fate::accepted, Fate::accepted, Fate::full}));
  EXPECT_EQ(office.world.counters().rejected.value(), 1u);
  EXPECT_EQ(office.world.events.dead_letters(), (Lines{"Note full"}));
  office.world.run();
  EXPECT_EQ(office.seen, (std::vector<int>{1, 2}));
}

TEST(Overflow, FR_015_drop_newest_drops_the_newest_and_tells_its_sender) {
  Office office(bounded(2, Overflow::drop_newest));
  EXPECT_EQ(office.tell(1, 3), (std::vector<Fate>{Fate::accepted, Fate::accepted, Fate::dropped}));
  EXPECT_EQ(office.world.counters().dropped.value(), 1u);
  EXPECT_EQ(office.world.counters().rejected.value(), 0u);
  EXPECT_EQ(office.world.events.dead_letters(), (Lines{"Note dropped"}));
  office.world.run();
  EXPECT_EQ(office.seen, (std::vector<int>{1, 2}));
}

TEST(Overflow, FR_015_drop_oldest_lets_the_oldest_fall_and_names_it) {
  Office office(bounded(2, Overflow::drop_oldest));
  EXPECT_TRUE(office.clerk.tell<Other>());
  EXPECT_EQ(office.clerk.tell<Note>(1).detail(), "");
  const Receipt receipt = office.clerk.tell<Note>(2);
  EXPECT_EQ(receipt.fate(), Fate::accepted);
  EXPECT_EQ(receipt.detail(), "Other");
  EXPECT_EQ(office.world.counters().dropped.value(), 1u);
  EXPECT_EQ(office.world.events.dead_letters(), (Lines{"Other dropped"}));
  office.world.run();
  EXPECT_EQ(office.seen, (std::vector<int>{1, 2}));
}

TEST(Overflow, FR_015_drop_oldest_keeps_the_newest_in_order_however_many_come) {
  Office office(bounded(3, Overflow::drop_oldest));
  for (int round = 0; round < 3; ++round) {
    office.seen.clear();
    (void)office.tell(1, 10);
    office.world.run();
    EXPECT_EQ(office.seen, (std::vector<int>{8, 9, 10})) << round;
  }
  EXPECT_EQ(office.world.counters().dropped.value(), 21u);
}

TEST(Overflow, FR_015_an_ask_that_falls_out_of_drop_oldest_is_answered_dropped) {
  Office office(bounded(1, Overflow::drop_oldest));
  auto& answer = office.world.ask(office.clerk.ask<Get>());
  ASSERT_TRUE(office.clerk.tell<Note>(1));
  EXPECT_EQ(answer.code(), "dropped");
}

TEST(Overflow, FR_015_an_ask_into_drop_oldest_is_answered) {
  Office office(bounded(2, Overflow::drop_oldest));
  auto& answer = office.world.ask(office.clerk.ask<Get>());
  office.world.run();
  EXPECT_EQ(answer.value(), 42);
}

TEST(Overflow, FR_015_high_messages_of_a_drop_oldest_mailbox_have_the_reserve) {
  MailboxOptions options = bounded(1, Overflow::drop_oldest);
  options.reserve = 2;
  Office office(options);
  (void)office.tell(1, 1);
  EXPECT_TRUE(office.clerk.tell_high<Note>(101));
  EXPECT_TRUE(office.clerk.tell_high<Note>(102));
  EXPECT_EQ(office.clerk.tell_high<Note>(103).fate(), Fate::full);
  office.world.run();
  EXPECT_EQ(office.seen, (std::vector<int>{101, 102, 1}));
}

TEST(Overflow, FR_015_a_drop_oldest_mailbox_that_stops_kills_what_is_in_its_list) {
  Office office(bounded(4, Overflow::drop_oldest));
  (void)office.tell(1, 3);
  office.clerk.stop();
  office.world.run();
  EXPECT_EQ(office.world.events.dead_letters(), (Lines{"Note stopped", "Note stopped", "Note stopped"}));
  EXPECT_EQ(office.clerk.tell<Note>(4).fate(), Fate::stopped);
}

TEST(Overflow, FR_015_a_drop_oldest_mailbox_drains_its_list) {
  Office office(bounded(4, Overflow::drop_oldest));
  (void)office.tell(1, 3);
  office.clerk.drain();
  while (office.world.step() && office.seen.empty()) {
  }
  EXPECT_EQ(office.clerk.tell<Note>(4).fate(), Fate::stopped);
  office.world.run();
  EXPECT_EQ(office.seen, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(office.world.events.stops(), (Lines{"Clerk requested"}));
}

TEST(Overflow, FR_015_grow_doubles_up_to_its_maximum_publishing_each_growth_then_rejects) {
  Office office(growing(2, 5));
  EXPECT_EQ(office.tell(1, 6), (std::vector<Fate>{Fate::accepted, Fate::accepted, Fate::accepted, Fate::accepted,
                                                  Fate::accepted, Fate::full}));
  const auto grown = office.world.events.of(EventKind::mailbox_grown);
  ASSERT_EQ(grown.size(), 2u);
  EXPECT_EQ(grown[0].number, 4u);
  EXPECT_EQ(grown[1].number, 5u);
  EXPECT_EQ(grown[0].actor, office.clerk.cell());
  office.world.run();
  EXPECT_EQ(office.seen, (std::vector<int>{1, 2, 3, 4, 5}));
}

TEST(Overflow, FR_015_a_grown_mailbox_keeps_its_reserve_for_high_messages) {
  MailboxOptions options = growing(1, 2);
  options.reserve = 1;
  Office office(options);
  (void)office.tell(1, 2);
  EXPECT_TRUE(office.clerk.tell_high<Note>(100));
  EXPECT_EQ(office.clerk.tell_high<Note>(101).fate(), Fate::full);
}

TEST(Overflow, FR_015_the_receipt_says_the_same_as_an_error) {
  Office office(bounded(1));
  (void)office.tell(1, 1);
  EXPECT_EQ(office.clerk.tell<Note>(2).error().code(), Code::full);
  EXPECT_EQ(office.world.ask(office.clerk.ask<Get>()).code(), "full");
}

}  // namespace
}  // namespace troupe
