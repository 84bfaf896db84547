#include <troupe/core/behaviour.hpp>

#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

struct Knock {
  int number;
};
struct Unlock {};
struct Lock {};
struct Paint {
  int number;
};

struct Closed;
struct Opened;
using Door = OneOf<Closed, Opened>;

// The log of a test; behaviours are made by default.
Lines* door_log = nullptr;

struct Closed {
  using deferred = Messages<Knock>;
  using refused = Messages<Lock>;
  void on(const Unlock&, Context& context);
  void on(const Paint& paint) { door_log->push_back("paint closed " + std::to_string(paint.number)); }
  void on(const Started&) { door_log->push_back("started"); }
};
struct Opened {
  using Actor = Door;
  int knocks = 0;
  using refused = Messages<Unlock>;
  int on(const Knock& knock) {
    door_log->push_back("knock " + std::to_string(knock.number));
    return ++knocks;
  }
  void on(const Lock&, Context& context) { (void)context.become(Closed{}); }
  void on(const Paint& paint, Context& context) {
    if (paint.number == 0) {  // to be handled by the next behaviour
      (void)context.stash();
      (void)context.become(Closed{});
      return;
    }
    door_log->push_back("paint opened " + std::to_string(paint.number));
  }
};
void Closed::on(const Unlock&, Context& context) { (void)context.become(Opened{}); }

struct House {
  Lines log;
  World world;
  Ref<Door> door;
  explicit House(const Policy& policy = {}) {
    door_log = &log;
    door = world.spawn(Props<Door>().on_failure(policy));
    world.run();
  }
};

TEST(Behaviour, FR_002_it_starts_as_the_first_alternative_and_changes_with_become) {
  House house;
  ASSERT_TRUE(house.door.tell<Paint>(1));
  ASSERT_TRUE(house.door.tell<Unlock>());
  ASSERT_TRUE(house.door.tell<Paint>(2));
  ASSERT_TRUE(house.door.tell<Lock>());
  ASSERT_TRUE(house.door.tell<Paint>(3));
  house.world.run();
  EXPECT_EQ(house.log, (Lines{"started", "paint closed 1", "paint opened 2", "paint closed 3"}));
}

TEST(Behaviour, FR_020_a_deferred_message_waits_for_the_next_change) {
  House house;
  auto& answer = house.world.ask(house.door.ask<Knock>(1));
  ASSERT_TRUE(house.door.tell<Knock>(2));
  house.world.run();
  EXPECT_FALSE(answer.came());
  ASSERT_TRUE(house.door.tell<Unlock>());
  house.world.run();
  EXPECT_EQ(answer.value(), 1);
  EXPECT_EQ(house.log, (Lines{"started", "knock 1", "knock 2"}));
}

TEST(Behaviour, FR_002_a_refused_message_is_answered_with_an_error_naming_the_behaviour) {
  House house;
  auto& answer = house.world.ask(house.door.ask<Lock>());
  house.world.run();
  EXPECT_EQ(answer.code(), "conflict");
  EXPECT_EQ(answer.text(), "Closed");
}

struct Stranger {
  void on(const Unlock&) {}
};
struct Loner {
  Code on(const Unlock&, Context& context) {
    const auto became = context.become(Stranger{});
    return became.has_value() ? Code::failed : became.error().code();
  }
};

TEST(Behaviour, FR_002_an_actor_cannot_become_what_its_OneOf_does_not_list) {
  Stage stage;
  auto& answer = stage.world.ask(stage.world.spawn<Loner>().ask<Unlock>());
  stage.world.run();
  EXPECT_EQ(answer.value(), Code::invalid);
}

TEST(Behaviour, FR_020_a_message_stashed_before_become_is_handled_by_the_new_behaviour) {
  House house;
  ASSERT_TRUE(house.door.tell<Unlock>());
  ASSERT_TRUE(house.door.tell<Paint>(0));
  ASSERT_TRUE(house.door.tell<Paint>(1));
  house.world.run();
  EXPECT_EQ(house.log, (Lines{"started", "paint closed 0", "paint closed 1"}));
}

struct Waits;
struct Settled;
using Pupil = OneOf<Waits, Settled>;
struct Waits {
  Script* script = nullptr;
  Task<void> on(const Hold& hold);
  void on(const Bear& bear) { script = bear.script; }
  void on(const Quit&, Context& context);
  int on(const Sum&) { return 1; }
};
struct Settled {
  using refused = Messages<Hold, Bear, Quit>;
  int on(const Sum&) { return 2; }
};
Task<void> Waits::on(const Hold&) {
  Completion<void> opened;
  script->gate.emplace(opened.token());
  co_await opened;
  script->write("went on");  // reads its own behaviour, which must still be there
}
void Waits::on(const Quit&, Context& context) { (void)context.become(Settled{}); }

TEST(Behaviour, AR_25_a_behaviour_whose_turn_still_waits_is_not_replaced_under_it) {
  Stage stage;
  Script& script = stage.script("a");
  auto pupil = stage.world.spawn(Props<Pupil>().reentrant(4));
  ASSERT_TRUE(pupil.tell<Bear>(&script));
  ASSERT_TRUE(pupil.tell<Hold>());
  ASSERT_TRUE(pupil.tell<Quit>());
  stage.world.run();
  auto& during = stage.world.ask(pupil.ask<Sum>());
  stage.world.run();
  EXPECT_EQ(during.value(), 1);
  script.open_gate();
  stage.world.run();
  EXPECT_EQ(stage.log(), (Lines{"a went on"}));
  auto& afterwards = stage.world.ask(pupil.ask<Sum>());
  stage.world.run();
  EXPECT_EQ(afterwards.value(), 2);
}

}  // namespace
}  // namespace troupe
