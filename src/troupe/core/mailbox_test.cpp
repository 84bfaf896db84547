#include <troupe/core/mailbox.hpp>

#include <troupe/core/world_test.hpp>

namespace troupe {
namespace {

struct Note {
  int number;
};
struct Cargo {
  std::string words;
};

struct Clerk {
  std::vector<int>* seen;
  void on(const Note& note) { seen->push_back(note.number); }
  void on(const Cargo&) {}
};

TEST(Mailbox, FR_003_the_eleventh_message_to_a_mailbox_of_ten_is_refused) {
  std::vector<int> seen;
  World world;
  auto clerk = world.spawn(Props<Clerk>(&seen).mailbox(bounded(10)));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(clerk.tell<Note>(i).fate(), Fate::accepted);
  EXPECT_EQ(clerk.tell<Note>(10).fate(), Fate::full);
  EXPECT_EQ(world.events.dead_letters(), (Lines{"Note full"}));
  EXPECT_EQ(world.counters().rejected.value(), 1u);
  world.run();
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Mailbox, SC_002_the_eleventh_is_reported_every_time_and_order_is_never_broken) {
  std::vector<int> seen;
  World world;
  auto clerk = world.spawn(Props<Clerk>(&seen).mailbox(bounded(10)));
  world.run();
  int next = 0;
  // More than 2^16 messages in all: the counters of the mailbox word wrap.
  for (int round = 0; round < 7'000; ++round) {
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(clerk.tell<Note>(next++)) << round;
    ASSERT_EQ(clerk.tell<Note>(-1).fate(), Fate::full) << round;
    world.run();
  }
  ASSERT_EQ(seen.size(), 70'000u);
  for (int i = 0; i < next; ++i) ASSERT_EQ(seen[static_cast<std::size_t>(i)], i);
}

TEST(Mailbox, AR_05_a_refused_message_stays_with_the_caller) {
  std::vector<int> seen;
  World world;
  auto clerk = world.spawn(Props<Clerk>(&seen).mailbox(bounded(1)));
  ASSERT_TRUE(clerk.tell<Note>(1));
  Cargo cargo{"a text too long to lie in the string object itself"};
  EXPECT_EQ(clerk.tell(std::move(cargo)).fate(), Fate::full);
  // NOLINTNEXTLINE(bugprone-use-after-move): the message was not taken
  EXPECT_EQ(cargo.words, "a text too long to lie in the string object itself");
}

TEST(Mailbox, AR_05_a_message_holds_its_slot_only_until_its_handler_begins) {
  struct Ping {};
  struct Self {
    std::vector<Fate>* fates;
    int left = 3;
    void on(const Ping&, Context& context) {
      if (left-- > 0) fates->push_back(context.self(this).template tell<Ping>().fate());
    }
  };
  std::vector<Fate> fates;
  World world;
  auto self = world.spawn(Props<Self>(&fates).mailbox(bounded(1)));
  ASSERT_TRUE(self.tell<Ping>());
  world.run();
  EXPECT_EQ(fates, (std::vector<Fate>{Fate::accepted, Fate::accepted, Fate::accepted}));
}

TEST(Mailbox, AR_04_messages_of_one_lane_are_handled_in_send_order) {
  std::vector<int> seen;
  World world;
  auto clerk = world.spawn(Props<Clerk>(&seen).mailbox(unbounded()));
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(clerk.tell<Note>(i));
    if (i % 7 == 0) world.step();
  }
  world.run();
  ASSERT_EQ(seen.size(), 500u);
  for (int i = 0; i < 500; ++i) ASSERT_EQ(seen[static_cast<std::size_t>(i)], i);
}

TEST(Mailbox, FR_003_an_unbounded_mailbox_takes_more_than_its_word_can_count) {
  std::vector<int> seen;
  World world({.bytes = std::size_t{16} << 20});
  auto clerk = world.spawn(Props<Clerk>(&seen).mailbox(unbounded()));
  for (int i = 0; i < 70'000; ++i) ASSERT_TRUE(clerk.tell<Note>(i)) << i;
  world.run();
  EXPECT_EQ(seen.size(), 70'000u);
}

TEST(Mailbox, FR_003_a_bound_beyond_the_words_field_is_exact_too) {
  std::vector<int> seen;
  World world({.bytes = std::size_t{16} << 20});
  auto clerk = world.spawn(Props<Clerk>(&seen).mailbox(bounded(66'000)));
  for (int i = 0; i < 66'000; ++i) ASSERT_TRUE(clerk.tell<Note>(i)) << i;
  EXPECT_EQ(clerk.tell<Note>(0).fate(), Fate::full);
  world.run();
  ASSERT_EQ(seen.size(), 66'000u);
  EXPECT_EQ(seen.back(), 65'999);
}

TEST(Mailbox, FR_003_a_large_mailbox_that_drops_the_newest_says_dropped) {
  std::vector<int> seen;
  World world({.bytes = std::size_t{16} << 20});
  auto clerk = world.spawn(Props<Clerk>(&seen).mailbox(bounded(66'000, Overflow::drop_newest)));
  for (int i = 0; i < 66'000; ++i) ASSERT_TRUE(clerk.tell<Note>(i)) << i;
  EXPECT_EQ(clerk.tell<Note>(0).fate(), Fate::dropped);
  world.run();
}

TEST(Mailbox, FR_002_the_systems_default_applies_to_actors_without_a_mailbox_of_their_own) {
  std::vector<int> seen;
  World world({.kernel = {.mailbox = bounded(3)}});
  auto clerk = world.spawn<Clerk>(&seen);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(clerk.tell<Note>(i));
  EXPECT_EQ(clerk.tell<Note>(3).fate(), Fate::full);
}

TEST(Mailbox, FR_003_the_default_bound_is_64) {
  std::vector<int> seen;
  World world;
  auto clerk = world.spawn<Clerk>(&seen);
  for (int i = 0; i < 64; ++i) ASSERT_TRUE(clerk.tell<Note>(i));
  EXPECT_EQ(clerk.tell<Note>(64).fate(), Fate::full);
}

TEST(Mailbox, FR_003_options_that_cannot_be_kept_are_refused_at_configuration) {
  std::vector<int> seen;
  World world;
  const auto code = [&](const MailboxOptions& options) {
    auto spawned = world.try_spawn(Props<Clerk>(&seen).mailbox(options));
    return spawned.has_value() ? std::string("spawned") : std::string(to_string(spawned.error().code()));
  };
  EXPECT_EQ(code(bounded(0)), "invalid");
  EXPECT_EQ(code(growing(10, 70'000)), "invalid");
  EXPECT_EQ(code(growing(10, 5)), "invalid");
  MailboxOptions reserve = bounded(65'000);
  reserve.reserve = 600;  // the sum does not fit the word
  EXPECT_EQ(code(reserve), "invalid");
  reserve.reserve = 535;
  EXPECT_EQ(code(reserve), "spawned");
}

TEST(Mailbox, FR_003_block_is_refused_at_configuration_where_nobody_can_wait) {
  std::vector<int> seen;
  World world({.kernel = {.may_block = false}});
  auto spawned = world.try_spawn(Props<Clerk>(&seen).mailbox(bounded(4, Overflow::block)));
  ASSERT_FALSE(spawned.has_value());
  EXPECT_EQ(spawned.error().code(), Code::unsupported);
}

TEST(Mailbox, AR_01_a_stale_reference_is_refused_when_its_cell_has_another_life) {
  std::vector<int> seen;
  World world;
  auto old = world.spawn<Clerk>(&seen);
  world.run();
  EXPECT_TRUE(old.stop());
  world.run();
  auto fresh = world.spawn<Clerk>(&seen);
  ASSERT_EQ(old.cell().cell, fresh.cell().cell) << "the cell was not reused: the test proves nothing";
  EXPECT_NE(old, fresh);
  EXPECT_EQ(old.tell<Note>(1).fate(), Fate::stopped);
  EXPECT_FALSE(old.stop());
  EXPECT_TRUE(fresh.tell<Note>(2));
  world.run();
  EXPECT_EQ(seen, (std::vector<int>{2}));
}

TEST(Mailbox, AR_01_one_that_has_ended_is_of_no_class_whether_its_cell_was_reused_or_not) {
  std::vector<int> seen;
  World world;
  const AnyRef old = world.spawn<Clerk>(&seen);
  world.run();
  EXPECT_TRUE(old.is<Clerk>());
  old.stop();
  world.run();
  EXPECT_FALSE(old.is<Clerk>());
  EXPECT_EQ(old.as<Clerk>(), Ref<Clerk>());
  const auto fresh = world.spawn<Clerk>(&seen);
  ASSERT_EQ(old.cell().cell, fresh.cell().cell) << "the cell was not reused: the test proves nothing";
  EXPECT_FALSE(old.is<Clerk>());
}

TEST(Mailbox, AR_05_a_reference_that_names_nobody_says_not_found) {
  World world;
  const Ref<Clerk> nobody_at_all;
  EXPECT_EQ(nobody_at_all.tell<Note>(1).fate(), Fate::not_found);
  EXPECT_FALSE(nobody_at_all.stop());
  EXPECT_EQ(world.ask(nobody_at_all.ask<Note>(1)).code(), "not_found");
  EXPECT_EQ(world.events.dead_letters(), (Lines{"Note not_found", "Note not_found"}));
}

// The owner's generation check (mailbox.md 3): a sender that stalled before its compare-and-swap finds the same word.
TEST(Mailbox, AR_01_an_envelope_of_an_older_life_is_a_dead_letter_not_a_delivery) {
  std::vector<int> seen;
  World world;
  auto clerk = world.spawn<Clerk>(&seen);
  world.run();
  Worker& worker = world.worker();
  Cell& cell = *clerk.cell().cell;
  Envelope* stale = detail::build<Note>(worker, clerk.cell().generation - 1, detail::deliver<Clerk, Note>, Lane::normal,
                                        detail::tell_class<Note>, 7);
  worker.counters.sent.add();
  ASSERT_EQ(mailbox::offer(cell, *stale, cell.word.load()), mailbox::Push::scheduled);
  worker.schedule(cell);
  world.run();
  EXPECT_TRUE(seen.empty());
  EXPECT_EQ(world.events.dead_letters(), (Lines{"Note stopped"}));
}

TEST(Mailbox, FR_003_when_an_actor_has_ended_every_slot_was_given_back) {
  std::vector<int> seen;
  World world;
  auto clerk = world.spawn<Clerk>(&seen);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(clerk.tell<Note>(i));
  ASSERT_TRUE(clerk.tell_high<Note>(5));
  clerk.stop();
  world.run();
  const Cell& cell = *clerk.cell().cell;
  EXPECT_EQ(mailbox::offered(cell.word.load()), cell.released.load());
  EXPECT_NE(cell.word.load() & mailbox::closed, 0u);
}

TEST(MailboxWord, FR_003_room_is_the_difference_of_offered_and_released_modulo_their_field) {
  Cell cell;
  cell.generation.store(5);
  cell.limit[0].store(10);
  cell.limit[1].store(12);
  cell.released.store(0xfffe);
  const auto word = [](std::uint16_t offered) { return static_cast<mailbox::Word>(offered) << mailbox::count_shift; };
  EXPECT_EQ(mailbox::queued(cell, word(3), order::relaxed), 5u);
  EXPECT_TRUE(mailbox::has_room(cell, word(7), 5, Lane::normal));
  EXPECT_FALSE(mailbox::has_room(cell, word(8), 5, Lane::normal));
  EXPECT_TRUE(mailbox::has_room(cell, word(9), 5, Lane::high));
  EXPECT_FALSE(mailbox::has_room(cell, word(10), 5, Lane::high));
  EXPECT_FALSE(mailbox::has_room(cell, word(7), 6, Lane::normal)) << "another life";
}

TEST(MailboxWord, FR_012_whoever_replaces_idle_schedules_and_rest_fails_once_something_came) {
  Cell cell;
  cell.generation.store(5);
  cell.word.store(mailbox::idle);
  alignas(64) Envelope first{};
  first.generation = 5;
  EXPECT_EQ(mailbox::push(cell, first), mailbox::Push::scheduled);
  alignas(64) Envelope second{};
  second.generation = 5;
  second.lane = Lane::system;
  EXPECT_EQ(mailbox::push(cell, second), mailbox::Push::done);
  const mailbox::Word taken = mailbox::take(cell);
  EXPECT_EQ(mailbox::chain_of(taken), &second);
  EXPECT_EQ(second.next, &first);
  EXPECT_EQ(taken & mailbox::tags, mailbox::has_system);
  const mailbox::Word owned = cell.word.load();
  EXPECT_EQ(mailbox::announce(cell, mailbox::has_orders), mailbox::Push::done);
  EXPECT_FALSE(mailbox::rest(cell, owned));
  (void)mailbox::take(cell);
  EXPECT_TRUE(mailbox::rest(cell, cell.word.load()));
  EXPECT_EQ(mailbox::announce(cell, mailbox::has_orders), mailbox::Push::scheduled);
}

TEST(MailboxWord, AR_11_a_closed_word_takes_nothing_and_keeps_its_count) {
  Cell cell;
  cell.generation.store(5);
  cell.word.store(mailbox::one * 3);
  (void)mailbox::close(cell);
  alignas(64) Envelope envelope{};
  envelope.generation = 5;
  EXPECT_EQ(mailbox::push(cell, envelope), mailbox::Push::refused);
  EXPECT_EQ(mailbox::announce(cell, mailbox::has_orders), mailbox::Push::refused);
  EXPECT_EQ(mailbox::offered(cell.word.load()), 3u);
}

}  // namespace
}  // namespace troupe
