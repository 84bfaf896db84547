#include <troupe/core/task.hpp>

#include <stdexcept>

#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

struct Deep {};
struct Broken {};
struct Ready {};
struct Many {};
struct Refuse {};
struct Unwind {};

struct Guard {
  Script* script;
  const char* name;
  ~Guard() { script->write(std::string(name) + " left"); }
};

struct Worker1 {
  Script* script;

  Task<void> gate() {
    Completion<void> opened;
    script->gate.emplace(opened.token());
    co_await opened;
  }
  Task<int> level(int depth) {
    if (depth == 0) {
      co_await gate();
      co_return 1;
    }
    auto below = co_await level(depth - 1);
    co_return below + 1;
  }
  static Task<int> ready(int value) { co_return value; }
  Task<int> failing() {
    co_await gate();
    co_return Error{Code::denied, "from below"};
  }
  Task<int> through() {
    const Guard guard{script, "through"};
    auto value = co_await failing();
    script->write("not reached");
    co_return value;
  }

  Task<int> on(const Deep&) {
    auto value = co_await level(5);
    co_return value;
  }
  Task<int> on(const Broken&) {
    const Guard guard{script, "handler"};
    auto value = co_await through();
    script->write("not reached");
    co_return value;
  }
  Task<int> on(const Refuse&) {
    auto value = co_await as_result(through());
    co_return value.has_value() ? 0 : -1;
  }
  Task<int> on(const Ready&) { return 5; }  // no frame
  Task<long> on(const Many&) {
    long sum = 0;
    for (int i = 0; i < 100'000; ++i) {
      auto value = co_await ready(1);
      sum += value;
    }
    co_return sum;
  }
  Task<int> on(const Unwind& unwind) {
    const Guard guard{script, "frame"};
    co_await gate();
    (void)unwind;
    co_return 1;
  }
  Task<int> on(const Fail&) {
    Result<int> failed = Error{Code::failed, "a value"};
    auto value = co_await std::move(failed);
    co_return value;
  }
};

struct Shop {
  Stage stage;
  Script& script;
  Ref<Worker1> worker;
  explicit Shop(const Policy& policy = {})
      : script(stage.script("a")), worker(stage.world.spawn(Props<Worker1>(&script).on_failure(policy))) {}
};

TEST(Task, AR_25_tasks_nest_and_hand_their_values_up) {
  Shop shop;
  auto& answer = shop.stage.world.ask(shop.worker.ask<Deep>());
  shop.stage.world.run();
  EXPECT_FALSE(answer.came());
  shop.script.open_gate();
  shop.stage.world.run();
  EXPECT_EQ(answer.value(), 6);
}

TEST(Task, AR_09_an_error_fails_every_task_above_and_their_locals_are_destroyed) {
  Shop shop;
  auto& answer = shop.stage.world.ask(shop.worker.ask<Broken>());
  shop.stage.world.run();
  shop.script.open_gate();
  shop.stage.world.run();
  EXPECT_EQ(answer.text(), "from below");
  EXPECT_EQ(shop.stage.log(), (Lines{"a through left", "a handler left"}));
}

TEST(Task, AR_09_as_result_yields_the_error_instead) {
  Shop shop;
  auto& answer = shop.stage.world.ask(shop.worker.ask<Refuse>());
  shop.stage.world.run();
  shop.script.open_gate();
  shop.stage.world.run();
  EXPECT_EQ(answer.value(), -1);
}

TEST(Task, AR_25_a_task_from_a_value_needs_no_frame) {
  Shop shop;
  auto& answer = shop.stage.world.ask(shop.worker.ask<Ready>());
  shop.stage.world.run();
  EXPECT_EQ(answer.value(), 5);
}

TEST(Task, AR_25_a_hundred_thousand_awaits_need_no_stack) {
  Shop shop;
  auto& answer = shop.stage.world.ask(shop.worker.ask<Many>());
  shop.stage.world.run();
  EXPECT_EQ(answer.value(), 100'000);
}

TEST(Task, AR_09_a_failed_result_fails_the_task_and_the_actor) {
  Shop shop(resume_on_error());
  auto& answer = shop.stage.world.ask(shop.worker.ask<Fail>());
  shop.stage.world.run();
  EXPECT_EQ(answer.text(), "a value");
  EXPECT_EQ(shop.stage.world.events.count(EventKind::resumed), 1u);
}

TEST(Task, AR_11_a_turn_that_is_destroyed_destroys_its_locals) {
  Shop shop;
  ASSERT_TRUE(shop.worker.tell<Unwind>());
  shop.stage.world.run();
  shop.worker.stop();
  shop.stage.world.run();
  EXPECT_EQ(shop.stage.log(), (Lines{"a frame left"}));
}

TEST(Task, FR_005_without_memory_for_a_frame_the_task_is_an_error_value) {
  Stage stage({.kernel = {}, .bytes = 12 * 1024});
  auto worker = stage.world.spawn(Props<Worker1>(&stage.script("a")).on_failure(resume_on_error()));
  auto& first = stage.world.ask(worker.ask<Ready>());
  stage.world.run();
  EXPECT_EQ(first.value(), 5);
  auto& second = stage.world.ask(worker.ask<Deep>());
  std::vector<std::pair<void*, SizeClass>> taken;
  for (int i = 1; i < 20; ++i) {
    const auto size_class = static_cast<SizeClass>(i);
    while (void* block = stage.world.worker().allocate(size_class)) taken.emplace_back(block, size_class);
  }
  stage.world.run();
  for (auto [block, size_class] : taken) stage.world.worker().free(block, size_class);
  EXPECT_EQ(second.code(), "exhausted");
  stage.world.run();
}

#if defined(__cpp_exceptions)
struct Thrower {
  Script* script;
  Task<int> below() {
    Completion<void> opened;
    script->gate.emplace(opened.token());
    co_await opened;
    throw std::runtime_error("thrown below");
  }
  Task<int> on(const Deep&) {
    auto value = co_await below();
    co_return value;
  }
};
TEST(Task, AR_09_an_exception_in_a_task_is_its_error) {
  Stage stage;
  Script& script = stage.script("a");
  auto thrower = stage.world.spawn(Props<Thrower>(&script).on_failure(resume_on_error()));
  auto& answer = stage.world.ask(thrower.ask<Deep>());
  stage.world.run();
  script.open_gate();
  stage.world.run();
  EXPECT_EQ(answer.text(), "thrown below");
  EXPECT_EQ(stage.world.events.count(EventKind::resumed), 1u);
}
#endif

}  // namespace
}  // namespace troupe
