#include <troupe/runtime/event_stage_test.hpp>

namespace troupe {
namespace {

static_assert(kinds(EventKind::failed, EventKind::not_drained).contains(EventKind::not_drained));
static_assert(!kinds(EventKind::failed).contains(EventKind::dead_letter));
static_assert(kinds() == EventFilter());
static_assert(all_events().contains(EventKind::dead_letter) && all_events().contains(EventKind::not_drained));

TEST(EventStream, FR_009_a_subscriber_hears_the_kinds_it_asked_for_in_order) {
  Stage stage;
  Subscription some = stage.stream.subscribe(kinds(EventKind::failed, EventKind::stopped));
  Subscription all = stage.stream.subscribe(all_events());
  stage.publish(EventKind::stopped, 1);
  stage.publish(EventKind::restarted, 2);
  stage.publish(EventKind::failed, 3);
  EXPECT_EQ(some.size(), 2u);
  EXPECT_EQ(some.next()->at, 42u);
  EXPECT_EQ(numbers(some), Numbers{3});
  EXPECT_EQ(numbers(all), (Numbers{1, 2, 3}));
}

TEST(EventStream, FR_009_an_event_that_nobody_wants_is_not_even_recorded) {
  Stage stage;
  unsigned asked = 0;
  EventStream watched(stage.clock, [&](CellRef) { return ++asked, std::string("x:1"); });
  const Ref<Quiet> actor = stage.spawn_quiet();
  const Event event{.kind = EventKind::failed, .actor = {actor.cell().cell, 1}};
  {
    Subscription others = watched.subscribe(kinds(EventKind::stopped));
    watched.subscribe(actor, kinds(EventKind::restarted));
    watched.publish(event);
    EXPECT_TRUE(watched.wants(EventKind::stopped));
    EXPECT_TRUE(watched.wants(EventKind::restarted));
    EXPECT_FALSE(watched.wants(EventKind::failed));
  }
  watched.subscribe(actor, kinds(EventKind::suspended));
  EXPECT_FALSE(watched.wants(EventKind::stopped));
  EXPECT_FALSE(watched.wants(EventKind::restarted));
  watched.unsubscribe(actor);
  EXPECT_FALSE(watched.wants(EventKind::suspended));
  EXPECT_EQ(watched.figures().published, 0u);
  EXPECT_EQ(asked, 0u);
}

TEST(EventStream, FR_009_a_slow_subscriber_loses_counted_events_and_never_delays_the_publisher) {
  Stage stage;
  Subscription slow = stage.stream.subscribe(kinds(EventKind::failed), 10);
  Subscription quick = stage.stream.subscribe(kinds(EventKind::failed), 100);
  for (std::uint64_t i = 1; i <= 25; ++i) stage.publish(EventKind::failed, i);
  EXPECT_EQ(slow.lost(), 15u);
  EXPECT_EQ(numbers(slow), (Numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(quick.lost(), 0u);
  EXPECT_EQ(quick.size(), 25u);
  stage.publish(EventKind::failed, 26);
  EXPECT_EQ(numbers(slow), Numbers{26});
}

TEST(EventStream, FR_009_a_subscriber_that_falls_behind_raises_one_hint_until_it_caught_up_by_half) {
  Stage stage;
  Subscription hints = stage.stream.subscribe(kinds(EventKind::back_pressure));
  Subscription slow = stage.stream.subscribe(kinds(EventKind::failed), 4);
  for (int i = 0; i < 7; ++i) stage.publish(EventKind::failed);
  EXPECT_EQ(numbers(hints), Numbers{4});
  (void)slow.next();  // three are left: more than half
  stage.publish(EventKind::failed);
  stage.publish(EventKind::failed);
  EXPECT_EQ(hints.size(), 0u);
  (void)slow.next();
  (void)slow.next();
  for (int i = 0; i < 9; ++i) stage.publish(EventKind::failed);
  EXPECT_EQ(numbers(hints), Numbers{4});
}

TEST(EventStream, FR_009_hints_that_are_lost_raise_no_further_hints) {
  Stage stage;
  Subscription first = stage.stream.subscribe(kinds(EventKind::failed), 1);
  Subscription second = stage.stream.subscribe(kinds(EventKind::failed), 1);
  Subscription hints = stage.stream.subscribe(kinds(EventKind::back_pressure), 1);
  stage.publish(EventKind::failed);
  stage.publish(EventKind::failed);
  EXPECT_EQ(hints.size(), 1u);
  EXPECT_EQ(hints.lost(), 1u);
  stage.publish(EventKind::back_pressure);  // as core does
  EXPECT_EQ(hints.lost(), 2u);
  EXPECT_EQ(stage.stream.figures().published, 5u);
}

TEST(EventStream, FR_009_more_subscribers_fall_behind_than_fit_into_one_round_of_hints) {
  Stage stage;
  Subscription hints = stage.stream.subscribe(kinds(EventKind::back_pressure));
  std::vector<Subscription> slow;
  slow.reserve(6);
  for (int i = 0; i < 6; ++i) slow.push_back(stage.stream.subscribe(kinds(EventKind::failed), 1));
  stage.publish(EventKind::failed);
  stage.publish(EventKind::failed);
  EXPECT_EQ(hints.size(), 4u);
  stage.publish(EventKind::failed);
  stage.publish(EventKind::failed);
  EXPECT_EQ(hints.size(), 6u);
}

TEST(EventStream, FR_009_an_event_that_cannot_be_recorded_is_lost_and_counted) {
  Stage stage;
  EventStream broken(stage.clock, [](CellRef) -> std::string { throw std::runtime_error("no memory"); });
  const Ref<Quiet> actor = stage.spawn_quiet();
  const Ref<Quiet> other = stage.spawn_quiet();
  Subscription outside = broken.subscribe(all_events());
  broken.subscribe(actor, all_events());
  broken.publish({.kind = EventKind::failed, .actor = other.cell()});
  stage.executor.pump();
  EXPECT_EQ(outside.lost(), 1u);
  EXPECT_EQ(broken.lost(actor), 1u);
  EXPECT_EQ(broken.figures().lost, 2u);
  EXPECT_TRUE(stage.heard.events.empty());
}

TEST(EventStream, FR_009_figures_count_published_delivered_and_lost) {
  Stage stage;
  Subscription outside = stage.stream.subscribe(kinds(EventKind::failed), 1);
  const Ref<Quiet> actor = stage.spawn_quiet();
  stage.stream.subscribe(actor, kinds(EventKind::failed));
  stage.stream.subscribe_to<Price>(actor);
  stage.publish(EventKind::failed);
  stage.publish(EventKind::failed);
  stage.stream.publish(Price{1});
  const EventFigures figures = stage.stream.figures();
  EXPECT_EQ(figures.published, 3u);
  EXPECT_EQ(figures.delivered, 4u);
  EXPECT_EQ(figures.lost, 1u);
  EXPECT_EQ(figures.subscribers, 3u);
}

TEST(EventStream, FR_009_a_subscription_moves_and_ends_where_it_is_replaced) {
  Stage stage;
  Subscription one = stage.stream.subscribe(all_events());
  stage.publish(EventKind::failed, 1);
  Subscription two = std::move(one);
  stage.publish(EventKind::failed, 2);
  EXPECT_EQ(numbers(two), (Numbers{1, 2}));
  Subscription three = stage.stream.subscribe(all_events());
  EXPECT_EQ(stage.stream.figures().subscribers, 2u);
  two = std::move(three);
  EXPECT_EQ(stage.stream.figures().subscribers, 1u);
  two = Subscription();
  EXPECT_EQ(stage.stream.figures().subscribers, 0u);
  EXPECT_EQ(two.next(), std::nullopt);
  EXPECT_EQ(two.wait(1h), std::nullopt);
  EXPECT_EQ(two.size() + two.lost(), 0u);
}

TEST(EventStream, FR_009_what_a_subscription_got_can_be_read_after_the_stream_ended) {
  Stage stage;
  Subscription kept;
  {
    EventStream ending(stage.clock);
    kept = ending.subscribe(kinds(EventKind::not_drained));
    ending.publish({.kind = EventKind::not_drained, .number = 3});
  }
  EXPECT_EQ(kept.wait(1h)->number, 3u);
  EXPECT_EQ(kept.wait(1h), std::nullopt);  // at once: nothing can come any more
}
}  // namespace
}  // namespace troupe
