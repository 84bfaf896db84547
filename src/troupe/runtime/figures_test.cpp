// Figures and failures as a program reads them, in virtual time.
#include <troupe/runtime/figures.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <troupe/runtime/testkit.hpp>

namespace troupe {
namespace {

using namespace std::chrono_literals;

struct AddItem {};
struct Buy {};
struct Cart {
  Result<void> on(const AddItem&) { return Error{Code::failed, "no such item"}; }
};
struct Shop {
  Ref<Cart> cart;
  void on(const Buy&) { (void)cart.tell<AddItem>(); }
};

const TypeFigures& type_in(const Figures& figures, std::string_view type) {
  static const TypeFigures none{};
  const auto found = std::ranges::find(figures.types, type, &TypeFigures::type);
  return found == figures.types.end() ? none : *found;
}

TEST(Figures, AR_26_a_failure_is_reported_once_with_the_names_of_actor_and_sender) {
  testkit::Stage stage(1);
  auto failures = stage.system().events().subscribe(kinds(EventKind::failed));
  const auto cart = stage.spawn(Props<Cart>().named("7")).value();
  const auto shop = stage.spawn(Props<Shop>(cart).named("1")).value();
  ASSERT_TRUE(shop.tell<Buy>().accepted());
  stage.run_until_idle();
  const auto event = failures.next();
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->address, "cart:7");
  EXPECT_EQ(event->actor_type, "Cart");
  EXPECT_EQ(event->message, "AddItem");
  EXPECT_EQ(event->sender_address, "shop:1");
  EXPECT_EQ(to_string(*event), "cart:7 failed on AddItem: no such item (failed); sender shop:1");
  EXPECT_FALSE(failures.next().has_value());
  EXPECT_EQ(type_in(stage.system().figures(), "Cart").failed, 1u);
}

TEST(Figures, AR_26_a_sender_that_has_ended_has_no_name) {
  testkit::Stage stage(1);
  auto failures = stage.system().events().subscribe(kinds(EventKind::failed));
  const auto cart = stage.spawn(Props<Cart>().named("7")).value();
  const auto shop = stage.spawn(Props<Shop>(cart).named("1")).value();
  cart.suspend();
  ASSERT_TRUE(shop.tell<Buy>().accepted());
  stage.run_until_idle();
  shop.stop();
  stage.run_until_idle();
  cart.resume();
  stage.run_until_idle();
  const auto event = failures.next();
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->address, "cart:7");
  EXPECT_EQ(event->sender_address, "");
  EXPECT_EQ(event->sender, AnyRef(shop));
}

struct Job {
  int number = 0;
};
struct Clerk {
  std::vector<int>* done;
  Result<void> on(const Job& job) {
    done->push_back(job.number);
    if (job.number < 0) return Error{Code::failed, "asked to"};
    return {};
  }
};

TEST(Figures, AR_20_types_and_dispatchers_count_processed_failed_queued_oldest_and_restarts) {
  std::vector<int> done;
  testkit::Stage stage(1);
  const auto clerk = stage.spawn(Props<Clerk>(&done).on_failure(one_for_one())).value();
  ASSERT_TRUE(clerk.tell<Job>(1).accepted());
  ASSERT_TRUE(clerk.tell<Job>(-1).accepted());
  stage.run_until_idle();
  clerk.suspend();
  ASSERT_TRUE(clerk.tell<Job>(2).accepted());
  stage.run_until_idle();
  stage.advance(10s);
  ASSERT_TRUE(clerk.tell<Job>(3).accepted());
  stage.run_until_idle();
  const Figures figures = stage.system().figures();
  const TypeFigures& type = type_in(figures, "Clerk");
  EXPECT_EQ(type.processed, 2u);
  EXPECT_EQ(type.failed, 1u);
  EXPECT_EQ(type.restarts, 1u);
  EXPECT_EQ(type.queued, 2u);
  EXPECT_EQ(type.offered, 4u);
  EXPECT_GE(type.oldest, 9900ms);
  EXPECT_LE(type.oldest, 10100ms);
  ASSERT_EQ(figures.dispatchers.size(), 1u);
  EXPECT_EQ(figures.dispatchers[0].failed, 1u);
  EXPECT_EQ(figures.dispatchers[0].restarts, 1u);
  EXPECT_EQ(figures.dispatchers[0].queued, 2u);
  EXPECT_EQ(figures.dispatchers[0].oldest, type.oldest);
  EXPECT_EQ(type_in(figures, "Guardian").type, "");
}

// Handles for as long as it is told to, in virtual time.
struct Labour {
  Duration length;
};
struct Mason {
  testkit::World* world;
  void on(const Labour& labour) { world->advance(labour.length); }
};
struct Idler {
  void on(const Labour&) {}
};

TEST(Figures, AR_20_time_in_handlers_is_estimated_from_one_message_in_64_by_type_and_dispatcher) {
  testkit::Stage stage(1);
  const auto mason = stage.spawn(Props<Mason>(&stage.world()).mailbox(unbounded())).value();
  const auto idler = stage.spawn(Props<Idler>().mailbox(unbounded())).value();
  // Equal messages make the estimate exact, wherever in each 64 the sample falls.
  constexpr int messages = 640;
  for (int i = 0; i < messages; ++i) ASSERT_TRUE(mason.tell<Labour>(2ms).accepted());
  stage.run_until_idle();
  for (int i = 0; i < messages; ++i) ASSERT_TRUE(idler.tell<Labour>(2ms).accepted());
  stage.run_until_idle();
  const Figures figures = stage.system().figures();
  EXPECT_EQ(type_in(figures, "Mason").processed, 640u);
  EXPECT_EQ(type_in(figures, "Mason").in_handlers, messages * 2ms);
  EXPECT_EQ(type_in(figures, "Idler").processed, 640u);
  EXPECT_EQ(type_in(figures, "Idler").in_handlers, 0ms);
  EXPECT_EQ(figures.dispatchers.at(0).in_handlers, messages * 2ms);
}

TEST(Figures, FR_004_the_figures_tell_equal_shares_from_unequal_ones) {
  std::vector<int> done;
  testkit::Stage stage(1);
  std::vector<Ref<Clerk>> clerks;
  for (int i = 0; i < 3; ++i) clerks.push_back(stage.spawn(Props<Clerk>(&done).measured()).value());
  for (int i = 0; i < 30; ++i) {
    for (const auto& clerk : clerks) ASSERT_TRUE(clerk.tell<Job>(i).accepted());
  }
  stage.run_until_idle();
  for (const auto& clerk : clerks) EXPECT_EQ(stage.system().figures_of(AnyRef(clerk))->processed, 30u);
  const DispatcherFigures dispatcher = stage.system().figures().dispatchers.at(0);
  EXPECT_EQ(dispatcher.measured, 3u);
  EXPECT_EQ(dispatcher.smallest_share, 30u);
  EXPECT_EQ(dispatcher.largest_share, 30u);
  EXPECT_EQ(dispatcher.fairness(), 1.0);
  EXPECT_EQ(dispatcher.longest_run, 1u);
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(clerks[1].tell<Job>(i).accepted());
  stage.run_until_idle();
  EXPECT_EQ(stage.system().figures().dispatchers.at(0).fairness(), 0.5);
}

TEST(Figures, FR_019_a_program_reads_how_often_and_how_long_an_actor_was_suspended) {
  std::vector<int> done;
  testkit::Stage stage(1);
  const auto clerk = stage.spawn(Props<Clerk>(&done)).value();
  clerk.suspend();
  stage.run_until_idle();
  stage.advance(3s);
  EXPECT_EQ(stage.system().figures_of(AnyRef(clerk))->suspended, 3s);
  clerk.resume();
  stage.run_until_idle();
  stage.advance(1s);
  const auto figures = stage.system().figures_of(AnyRef(clerk));
  ASSERT_TRUE(figures.has_value());
  EXPECT_EQ(figures->suspensions, 1u);
  EXPECT_EQ(figures->suspended, 3s);
  EXPECT_EQ(type_in(stage.system().figures(), "Clerk").suspended, 3s);
  clerk.stop();
  stage.run_until_idle();
  EXPECT_EQ(stage.system().figures_of(AnyRef(clerk)).error().code(), Code::stopped);
}

struct Board {
  std::vector<Figures>* heard;
  void on(const Figures& figures) { heard->push_back(figures); }
};

TEST(Figures, FR_016_mailbox_figures_reach_an_actor_that_listens) {
  std::vector<int> done;
  std::vector<Figures> heard;
  testkit::Stage stage(1);
  const auto clerk = stage.spawn(Props<Clerk>(&done).mailbox(bounded(2))).value();
  stage.system().events().subscribe_to<Figures>(stage.spawn<Board>(&heard));
  stage.run_until_idle();
  clerk.suspend();
  stage.run_until_idle();
  for (int i = 0; i < 3; ++i) (void)clerk.tell<Job>(i);
  ASSERT_TRUE(clerk.tell_high<Job>(9).accepted());
  stage.run_until_idle();
  EXPECT_EQ(stage.system().publish_figures().accepted, 1u);
  stage.run_until_idle();
  ASSERT_EQ(heard.size(), 1u);
  const TypeFigures& type = type_in(heard[0], "Clerk");
  EXPECT_EQ(type.offered, 4u);
  EXPECT_EQ(type.rejected, 1u);
  EXPECT_EQ(type.queued, 3u);
  EXPECT_EQ(type.reserve_used, 1u);
  EXPECT_EQ(type.suspensions, 1u);
}

TEST(Figures, FR_016_figures_of_mailboxes_and_dispatchers_are_published_again_and_again) {
  std::vector<int> done;
  std::vector<Figures> heard;
  testkit::Stage stage(1, {.figures_every = 10s});
  const auto clerk = stage.spawn(Props<Clerk>(&done).mailbox(bounded(2, Overflow::drop_newest))).value();
  stage.system().events().subscribe_to<Figures>(stage.spawn<Board>(&heard));
  stage.run_until_idle();
  clerk.suspend();
  stage.run_until_idle();
  for (int i = 0; i < 5; ++i) (void)clerk.tell<Job>(i);
  (void)clerk.tell_high<Job>(9);
  stage.run_until_idle();
  stage.advance(4s);
  EXPECT_EQ(heard.size(), 0u);
  clerk.resume();
  stage.run_until_idle();
  stage.advance(7s);
  ASSERT_EQ(heard.size(), 1u);
  const TypeFigures& type = type_in(heard[0], "Clerk");
  EXPECT_EQ(type.offered, 6u);
  EXPECT_EQ(type.dropped, 3u);
  EXPECT_EQ(type.suspended, 4s);
  EXPECT_EQ(type.reserve_used, 1u);
  ASSERT_EQ(heard[0].dispatchers.size(), 1u);
  EXPECT_EQ(heard[0].dispatchers[0].processed, 3u);
  stage.advance(30s);
  EXPECT_EQ(heard.size(), 4u);
  EXPECT_EQ(stage.check(), "");
}

TEST(Figures, FR_016_no_figures_are_published_unless_somebody_says_how_often) {
  std::vector<Figures> heard;
  testkit::Stage stage(1);
  stage.system().events().subscribe_to<Figures>(stage.spawn<Board>(&heard));
  stage.advance(1h);
  EXPECT_EQ(heard.size(), 0u);
  EXPECT_EQ(stage.system().actors(), 1u);
}

}  // namespace
}  // namespace troupe
