// Protocols and adapters: an actor seen through what it understands, or through what can be made of it.
#include <troupe/core/protocol.hpp>

#include <troupe/core/adapter.hpp>
#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

using Wide = Protocol<int(Sum), void(Add), int(Hold), void(Quit)>;
using Middle = Protocol<void(Quit), int(Sum), void(Add)>;
using Narrow = Protocol<void(Add), int(Sum)>;

TEST(Protocol, AR_02_a_reference_shows_only_its_messages) {
  Stage stage;
  const Ref<Wide> subject = stage.spawn(stage.script("a"));
  ASSERT_TRUE(subject.tell<Add>(3));
  auto& sum = stage.world.ask(subject.ask<Sum>());
  stage.world.run();
  EXPECT_EQ(sum.value(), 3);
}

TEST(Protocol, AR_02_a_protocol_narrows_to_a_part_of_itself_more_than_once) {
  Stage stage;
  const Ref<Subject> actor = stage.spawn(stage.script("a"));
  const Ref<Wide> wide = actor;
  const Ref<Middle> middle = wide;
  const Ref<Narrow> narrow = middle;
  ASSERT_TRUE(narrow.tell<Add>(1));
  ASSERT_TRUE(narrow.tell_high<Add>(2));
  auto& sum = stage.world.ask(narrow.ask<Sum>());
  stage.world.run();
  EXPECT_EQ(sum.value(), 3);
  ASSERT_TRUE(middle.tell<Quit>());
  stage.world.run();
  EXPECT_EQ(narrow.tell<Add>(1).fate(), Fate::stopped);
  EXPECT_EQ(AnyRef(narrow), AnyRef(actor));
}

TEST(Protocol, AR_01_an_empty_reference_names_nobody) {
  World world;
  const Ref<Narrow> nobody_at_all;
  EXPECT_FALSE(static_cast<bool>(nobody_at_all));
}

TEST(Protocol, AR_02_the_order_of_its_messages_does_not_matter) {
  Stage stage;
  const Ref<Narrow> one = stage.spawn(stage.script("a"));
  const Ref<Protocol<int(Sum), void(Add)>> other = one;
  ASSERT_TRUE(other.tell<Add>(4));
  auto& sum = stage.world.ask(other.ask<Sum>());
  stage.world.run();
  EXPECT_EQ(sum.value(), 4);
}

struct Fahrenheit {
  double degrees;
};
struct Celsius {
  double degrees;
};
struct Thermometer {
  Lines* log;
  bool open = false;
  Reply<int> kept{};
  int on(const Celsius& celsius, Context& context) {
    const auto degrees = static_cast<int>(celsius.degrees);
    log->push_back(std::to_string(degrees) + (context.asked() ? " asked" : " told"));
    if (degrees < -273) return -1;
    return degrees;
  }
};
constexpr auto to_celsius = [](const Fahrenheit& warm) { return Celsius{(warm.degrees - 32) / 1.8}; };

TEST(Adapter, FR_008_a_message_of_one_protocol_is_heard_as_one_of_another) {
  Lines log;
  World world;
  auto thermometer = world.spawn<Thermometer>(&log);
  const Ref<Protocol<int(Fahrenheit)>> port = adapted<Fahrenheit, to_celsius>(thermometer);
  ASSERT_TRUE(port.tell<Fahrenheit>(212.0));
  auto& answer = world.ask(port.ask<Fahrenheit>(50.0));
  world.run();
  EXPECT_EQ(log, (Lines{"100 told", "10 asked"}));
  EXPECT_EQ(answer.value(), 10);
}

TEST(Adapter, FR_008_a_message_that_dies_is_named_as_it_was_sent_and_its_asker_answered) {
  Lines log;
  World world;
  auto thermometer = world.spawn<Thermometer>(&log);
  auto port = adapted<Fahrenheit, to_celsius>(thermometer);
  world.run();
  auto& answer = world.ask(port.ask<Fahrenheit>(50.0));
  thermometer.stop();
  world.run();
  EXPECT_EQ(world.events.dead_letters(), (Lines{"Fahrenheit stopped"}));
  EXPECT_EQ(answer.code(), "stopped");
}

TEST(Adapter, FR_008_an_ask_that_is_never_awaited_sends_nothing) {
  Lines log;
  World world;
  auto port = adapted<Fahrenheit, to_celsius>(world.spawn<Thermometer>(&log));
  {
    auto unused = port.ask<Fahrenheit>(1.0);
  }
  world.run();
  EXPECT_TRUE(log.empty());
}

#if defined(__cpp_exceptions)
constexpr auto refuses = [](const Fahrenheit& warm) {
  if (warm.degrees < -459.67) throw Error{Code::failed, "colder than possible"};
  return Celsius{0};
};
TEST(Adapter, FR_008_a_conversion_that_throws_is_the_receivers_failure) {
  Lines log;
  World world;
  auto thermometer = world.spawn(Props<Thermometer>(&log).on_failure(resume_on_error()));
  auto port = adapted<Fahrenheit, refuses>(thermometer);
  auto& answer = world.ask(port.ask<Fahrenheit>(-500.0));
  world.run();
  EXPECT_EQ(answer.text(), "colder than possible");
  EXPECT_EQ(world.events.count(EventKind::resumed), 1u);
}
#endif

}  // namespace
}  // namespace troupe
