#include <troupe/runtime/event_stage_test.hpp>

namespace troupe {
namespace {

TEST(EventStream, FR_009_an_actor_is_told_the_events_of_its_filter_by_nobody) {
  Stage stage;
  DeliveryReport report;
  const Ref<Quiet> actor = stage.spawn_quiet();
  const Ref<Seller> seller = stage.spawn(Props<Seller>(&stage.stream, &report).on_failure(resume_on_error()));
  EXPECT_TRUE(stage.stream.subscribe(actor, kinds(EventKind::failed)));
  EXPECT_FALSE(stage.stream.subscribe(Ref<Quiet>(), kinds(EventKind::failed)));
  seller.tell<Work>();
  stage.executor.pump();
  ASSERT_EQ(stage.heard.events.size(), 1u);  // and not that it was resumed
  EXPECT_EQ(to_string(stage.heard.events[0]), "Seller failed on Work: no such item (failed)");
  EXPECT_EQ(stage.heard.events[0].actor, seller);
  EXPECT_EQ(stage.heard.senders[0], AnyRef());
}

TEST(EventStream, FR_009_a_refused_event_counts_as_lost_for_its_actor_and_hints_until_half_of_its_mailbox_is_free) {
  Stage stage;
  Heard others;
  const Ref<Quiet> slow = stage.spawn_quiet(4);
  const Ref<Quiet> quick = stage.spawn(Props<Quiet>(&others));
  stage.stream.subscribe(slow, kinds(EventKind::failed));
  stage.stream.subscribe(quick, kinds(EventKind::failed));
  Subscription hints = stage.stream.subscribe(kinds(EventKind::back_pressure));
  for (int i = 0; i < 7; ++i) stage.publish(EventKind::failed);
  EXPECT_EQ(stage.stream.lost(slow), 3u);
  EXPECT_EQ(stage.stream.lost(quick), 0u);
  const auto hint = hints.next();
  EXPECT_EQ(hint->actor, slow);
  EXPECT_EQ(to_string(*hint), "Quiet fell behind with EventRecord: its mailbox is full");
  while (stage.heard.events.empty()) stage.executor.step();  // `slow` takes one, and has room for one
  stage.publish(EventKind::failed);
  stage.publish(EventKind::failed);
  EXPECT_EQ(stage.stream.lost(slow), 4u);
  EXPECT_EQ(hints.size(), 0u);
  stage.executor.pump();
  EXPECT_EQ(stage.heard.events.size(), 5u);
  for (int i = 0; i < 7; ++i) stage.publish(EventKind::failed);
  EXPECT_EQ(hints.size(), 1u);
}

TEST(EventStream, FR_009_an_event_that_telling_raises_goes_outside_only_and_recurses_into_no_actor) {
  Stage stage;
  const Ref<Quiet> full = stage.spawn_quiet(1);
  const Ref<Quiet> other = stage.spawn_quiet();
  const Ref<Quiet> growing = stage.spawn(Props<Quiet>(&stage.heard).mailbox(troupe::growing(1, 4)));
  for (const Ref<Quiet>& actor : {full, other, growing}) {
    stage.stream.subscribe(actor, kinds(EventKind::failed, EventKind::dead_letter, EventKind::mailbox_grown));
  }
  Subscription outside = stage.stream.subscribe(all_events());
  stage.publish(EventKind::failed);
  EXPECT_EQ(heard_kinds(outside), Kinds{EventKind::failed});
  stage.publish(EventKind::failed);  // a dead letter for `full`, and `growing` grows
  EXPECT_EQ(heard_kinds(outside),
            (Kinds{EventKind::failed, EventKind::dead_letter, EventKind::mailbox_grown, EventKind::back_pressure}));
  stage.executor.pump();
  EXPECT_EQ(stage.heard.events.size(), 5u);
  for (const EventRecord& record : stage.heard.events) EXPECT_EQ(record.kind, EventKind::failed);
  EXPECT_EQ(stage.stream.figures().lost, 3u);  // by `full`, and the two that arose
}

TEST(EventStream, FR_009_a_mailbox_that_drops_its_oldest_takes_events_without_recursion) {
  Stage stage;
  const Ref<Quiet> actor = stage.spawn_quiet(1, Overflow::drop_oldest);
  stage.stream.subscribe(actor, all_events());
  Subscription outside = stage.stream.subscribe(kinds(EventKind::dead_letter));
  stage.publish(EventKind::failed, 1);
  stage.publish(EventKind::failed, 2);
  EXPECT_EQ(outside.next()->reason, DeadReason::dropped);
  stage.executor.pump();
  ASSERT_EQ(stage.heard.events.size(), 1u);
  EXPECT_EQ(stage.heard.events[0].number, 2u);
}

TEST(EventStream, FR_009_an_actor_that_fails_on_events_is_not_told_of_its_own_failures) {
  Stage stage;
  const Ref<Quiet> actor = stage.spawn(Props<Quiet>(&stage.heard, true).on_failure(resume_on_error()));
  stage.stream.subscribe(actor, all_events());
  Subscription outside = stage.stream.subscribe(kinds(EventKind::failed));
  stage.publish(EventKind::suspended);
  stage.executor.pump();
  EXPECT_EQ(stage.heard.events.size(), 1u);
  EXPECT_EQ(outside.next()->actor, actor);
}

TEST(EventStream, FR_009_a_topic_gives_a_copy_to_each_of_its_actors_once_from_the_publisher) {
  Stage stage;
  DeliveryReport report;
  const Ref<Listener> twice = stage.spawn(Props<Listener>(&stage.heard, &stage.stream));
  const Ref<Quiet> once = stage.spawn_quiet();
  const Ref<Quiet> full = stage.spawn_quiet(1);
  const Ref<Seller> seller = stage.spawn(Props<Seller>(&stage.stream, &report).on_failure(resume_on_error()));
  EXPECT_TRUE(stage.stream.subscribe_to<Price>(twice));
  EXPECT_TRUE(stage.stream.subscribe_to<Price>(once));
  EXPECT_TRUE(stage.stream.subscribe_to<Price>(full));
  EXPECT_EQ(stage.stream.publish(Work{}).offered(), 0u);
  full.tell<Price>(1);
  seller.tell<Work>();
  stage.executor.step();  // `full` comes first: its mailbox is free again
  full.tell<Price>(2);
  stage.executor.pump();
  EXPECT_EQ(report.accepted, 2u);
  EXPECT_EQ(report.refused, 1u);
  EXPECT_EQ(stage.heard.prices, (std::vector<int>{1, 2, 7, 7}));
  EXPECT_EQ(stage.heard.senders[0], seller);
}

TEST(EventStream, FR_009_actors_hear_in_the_order_in_which_they_subscribed) {
  Stage stage;
  std::vector<Ref<Quiet>> actors;
  actors.reserve(20);
  for (int i = 0; i < 20; ++i) actors.push_back(stage.spawn_quiet(1));
  for (auto actor = actors.rbegin(); actor != actors.rend(); ++actor) {
    stage.stream.subscribe(*actor, kinds(EventKind::failed));
  }
  for (const auto& actor : actors) actor.tell<Price>(0);  // full: what each is refused shows the order
  Subscription outside = stage.stream.subscribe(kinds(EventKind::dead_letter));
  stage.publish(EventKind::failed);
  for (auto actor = actors.rbegin(); actor != actors.rend(); ++actor) EXPECT_EQ(outside.next()->actor, *actor);
}

TEST(EventStream, FR_009_unsubscribing_ends_what_it_names_and_forgetting_ends_everything) {
  Stage stage;
  const Ref<Quiet> actor = stage.spawn_quiet();
  EXPECT_FALSE(stage.stream.unsubscribe(actor));
  EXPECT_FALSE(stage.stream.unsubscribe_from<Price>(actor));
  stage.stream.subscribe(actor, all_events());
  stage.stream.subscribe_to<Price>(actor);
  EXPECT_TRUE(stage.stream.unsubscribe(actor));
  stage.publish(EventKind::failed);
  EXPECT_EQ(stage.stream.publish(Price{1}).accepted, 1u);
  stage.stream.subscribe(actor, all_events());
  EXPECT_TRUE(stage.stream.unsubscribe_from<Price>(actor));
  stage.publish(EventKind::failed);
  EXPECT_EQ(stage.stream.publish(Price{2}).offered(), 0u);
  stage.stream.subscribe_to<Price>(actor);
  stage.stream.forget(actor.cell());
  stage.publish(EventKind::failed);
  EXPECT_EQ(stage.stream.publish(Price{3}).offered(), 0u);
  EXPECT_EQ(stage.stream.figures().subscribers, 0u);
  stage.executor.pump();
  EXPECT_EQ(stage.heard.events.size(), 1u);
  EXPECT_EQ(stage.heard.prices, std::vector<int>{1});
}

TEST(EventStream, FR_009_the_subscriptions_of_an_instance_end_with_it) {
  Stage stage;
  const Ref<Listener> actor =
      stage.spawn(Props<Listener>(&stage.heard, &stage.stream).on_failure(one_for_one(Directive::restart)));
  EXPECT_EQ(stage.stream.figures().subscribers, 2u);
  stage.stream.subscribe(actor, kinds(EventKind::restarted));
  actor.tell<Work>();
  stage.executor.pump();
  EXPECT_FALSE(stage.stream.wants(EventKind::restarted));  // the new instance subscribed as it always does
  EXPECT_TRUE(stage.stream.wants(EventKind::failed));
  EXPECT_EQ(stage.stream.figures().subscribers, 2u);
  actor.stop();
  stage.executor.pump();
  EXPECT_EQ(stage.stream.figures().subscribers, 0u);
  EXPECT_TRUE(stage.heard.events.empty());
}

TEST(EventStream, FR_009_an_actor_that_subscribed_after_its_end_is_forgotten_at_the_next_event) {
  Stage stage;
  const Ref<Quiet> actor = stage.spawn_quiet();
  actor.stop();
  stage.executor.pump();
  stage.stream.subscribe(actor, kinds(EventKind::failed));
  stage.stream.subscribe_to<Price>(actor);
  EXPECT_EQ(stage.stream.figures().subscribers, 2u);
  stage.publish(EventKind::failed);
  EXPECT_EQ(stage.stream.publish(Price{1}).refused, 1u);
  EXPECT_EQ(stage.stream.figures().subscribers, 0u);
  EXPECT_EQ(stage.stream.figures().lost, 0u);
  EXPECT_FALSE(stage.stream.wants(EventKind::failed));
}

// A message whose copying has a say.
struct Touchy {
  EventStream* stream = nullptr;
  DeliveryReport* nested = nullptr;
  Touchy(EventStream* stream_in, DeliveryReport* nested_in) : stream(stream_in), nested(nested_in) {}
  Touchy(Touchy&&) = default;
  Touchy(const Touchy& other) : stream(other.stream), nested(other.nested) {
    if (nested == nullptr) throw std::runtime_error("not to be copied");
    *nested = stream->publish(Price{1});
  }
};
struct Toucher {
  void on(const Touchy&) {}
  void on(const Price&) {}
};

TEST(EventStream, FR_009_a_copy_that_publishes_or_throws_leaves_the_stream_in_order) {
  Stage stage;
  DeliveryReport nested;
  const Ref<Toucher> actor = stage.spawn(Props<Toucher>());
  stage.stream.subscribe_to<Touchy>(actor);
  stage.stream.subscribe_to<Price>(actor);
  EXPECT_EQ(stage.stream.publish(Touchy(&stage.stream, &nested)).accepted, 1u);
  EXPECT_EQ(nested.refused, 1u);
  EXPECT_THROW(stage.stream.publish(Touchy(nullptr, nullptr)), std::runtime_error);
  EXPECT_EQ(stage.stream.publish(Price{1}).accepted, 1u);
  EXPECT_TRUE(stage.stream.unsubscribe_from<Touchy>(actor));
}

TEST(EventStream, SC_005_a_thousand_rounds_of_subscribe_and_unsubscribe_leave_no_late_and_no_ghost_event) {
  Stage stage;
  const Ref<Quiet> actor = stage.spawn_quiet();
  for (std::uint64_t round = 1; round <= 1000; ++round) {
    stage.publish(EventKind::failed, 0);
    stage.stream.publish(Price{0});
    {
      Subscription outside = stage.stream.subscribe(kinds(EventKind::failed));
      stage.stream.subscribe(actor, kinds(EventKind::failed));
      stage.stream.subscribe_to<Price>(actor);
      stage.publish(EventKind::failed, round);
      stage.stream.publish(Price{static_cast<int>(round)});
      EXPECT_EQ(numbers(outside), Numbers{round});
      EXPECT_TRUE(stage.stream.unsubscribe(actor));
      EXPECT_TRUE(stage.stream.unsubscribe_from<Price>(actor));
    }
    EXPECT_FALSE(stage.stream.wants(EventKind::failed));
    stage.publish(EventKind::failed, 0);
    stage.stream.publish(Price{0});
    stage.executor.pump();
    ASSERT_EQ(stage.heard.events.size(), round);
    ASSERT_EQ(stage.heard.prices.size(), round);
    EXPECT_EQ(stage.heard.events.back().number, round);
    EXPECT_EQ(stage.heard.prices.back(), static_cast<int>(round));
  }
  EXPECT_EQ(stage.stream.figures().subscribers, 0u);
  EXPECT_EQ(stage.stream.figures().lost, 0u);
}
}  // namespace
}  // namespace troupe
