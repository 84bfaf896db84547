#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

TEST(SystemMail, FR_011_a_notice_goes_before_user_messages_that_came_earlier) {
  Stage stage;
  Script& script = stage.script("a");
  auto watcher = stage.spawn(script);
  auto mortal = stage.spawn(stage.script("b"));
  ASSERT_TRUE(watcher.tell<Look>(AnyRef(mortal)));
  ASSERT_TRUE(watcher.tell<Hold>());
  stage.world.run();
  ASSERT_TRUE(watcher.tell<Add>(1));
  ASSERT_TRUE(watcher.tell_high<Add>(2));
  stage.world.run();
  mortal.stop();
  stage.world.run();
  stage.forget();
  script.open_gate();
  stage.world.run();
  const Lines log = stage.log();
  ASSERT_EQ(log.size(), 4u);
  EXPECT_EQ(log[0], "a held");
  EXPECT_TRUE(log[1].starts_with("a terminated")) << log[1];
  EXPECT_EQ(log[2], "a add 2");
  EXPECT_EQ(log[3], "a add 1");
}

}  // namespace
}  // namespace troupe
