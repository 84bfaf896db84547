// Kept replies and completions: answers that come in a later turn or from elsewhere.
#include <troupe/core/reply.hpp>

#include <stdexcept>

#include <troupe/core/stage_test.hpp>

namespace troupe {
namespace {

TEST(Reply, AR_13_a_kept_reply_is_answered_in_a_later_turn) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  auto& answer = stage.world.ask(subject.ask<Later>());
  stage.world.run();
  EXPECT_FALSE(answer.came());
  ASSERT_TRUE(subject.tell<Now>(42));
  stage.world.run();
  EXPECT_EQ(answer.value(), 42);
}

TEST(Reply, AR_13_a_kept_reply_that_is_dropped_answers_by_itself) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  auto& first = stage.world.ask(subject.ask<Later>());
  auto& second = stage.world.ask(subject.ask<Later>());
  stage.world.run();
  EXPECT_EQ(first.code(), "dropped") << "the second took its place";
  EXPECT_FALSE(second.came());
}

TEST(Reply, AR_13_a_second_answer_and_one_that_nobody_asked_go_nowhere) {
  Stage stage;
  auto subject = stage.spawn(stage.script("a"));
  ASSERT_TRUE(subject.tell<Later>());
  ASSERT_TRUE(subject.tell<Now>(1));
  ASSERT_TRUE(subject.tell<Now>(2));
  stage.world.run();
  EXPECT_EQ(stage.world.counters().late.value(), 0u);
}

struct Prompt {
  Reply<int> reply{};
  Kept<int> on(const Sum&, Context& context) {
    auto kept = context.keep(reply);
    reply(42);
    return kept;
  }
};

TEST(Reply, AR_13_a_kept_reply_may_be_answered_by_the_same_handler) {
  Stage stage;
  auto prompt = stage.world.spawn<Prompt>();
  auto& answer = stage.world.ask(prompt.ask<Sum>());
  ASSERT_TRUE(prompt.tell<Sum>());
  stage.world.run();
  EXPECT_EQ(answer.value(), 42);
  EXPECT_EQ(stage.world.counters().handled.value(), 2u);
}

#if defined(__cpp_exceptions)
struct Clumsy {
  Reply<int> reply{};
  Kept<int> on(const Sum&, Context& context) {
    auto kept = context.keep(reply);
    if (kept_one++ >= 0) throw std::runtime_error("after keep");
    return kept;
  }
  Kept<int> on(const Hold&, Context& context) {
    auto kept = context.keep(reply);
    reply(7);
    if (kept_one++ >= 0) throw std::runtime_error("after the answer");
    return kept;
  }
  void on(const Now& now) { reply(now.number); }
  int kept_one = 0;
};

TEST(Reply, AR_13_an_exception_after_keep_leaves_the_reply_with_its_owner) {
  Stage stage;
  auto clumsy = stage.world.spawn(Props<Clumsy>().on_failure(resume_on_error()));
  auto& answer = stage.world.ask(clumsy.ask<Sum>());
  stage.world.run();
  EXPECT_FALSE(answer.came());
  ASSERT_TRUE(clumsy.tell<Now>(5));
  stage.world.run();
  EXPECT_EQ(answer.value(), 5);
  EXPECT_EQ(stage.world.events.count(EventKind::resumed), 1u);
}

TEST(Reply, AR_13_an_exception_after_keep_and_answer_fails_the_actor_once) {
  Stage stage;
  auto clumsy = stage.world.spawn(Props<Clumsy>().on_failure(resume_on_error()));
  auto& answer = stage.world.ask(clumsy.ask<Hold>());
  ASSERT_TRUE(clumsy.tell<Hold>());
  stage.world.run();
  EXPECT_EQ(answer.value(), 7);
  EXPECT_EQ(stage.world.events.count(EventKind::resumed), 2u);
}
#endif

// Gives its token away and awaits the completion: at once, or after another wait.
struct Reader {
  Script* script;
  std::optional<Completion<int>::Token>* token;
  Task<int> on(const Sum&) {
    Completion<int> done;
    token->emplace(done.token());
    auto value = co_await done;
    co_return value;
  }
  Task<void> on(const Hold&) {
    Completion<int> done;
    token->emplace(done.token());
    Completion<void> opened;
    script->gate.emplace(opened.token());
    co_await opened;
    auto value = co_await as_result(done);
    script->write(value.has_value() ? std::to_string(*value) : std::string(to_string(value.error().code())));
  }
  Task<void> on(const Tick&) {
    Completion<int> never;
    token->emplace(never.token());
    co_return;
  }
};

struct Library {
  std::optional<Completion<int>::Token> token;
  Stage stage;
  Script& script;
  Ref<Reader> reader;
  Library() : script(stage.script("a")), reader(stage.world.spawn<Reader>(&script, &token)) {}
  ~Library() { token.reset(); }
};

TEST(Completion, AR_13_a_value_that_comes_later_resumes_the_handler) {
  Library library;
  auto& answer = library.stage.world.ask(library.reader.ask<Sum>());
  library.stage.world.run();
  EXPECT_FALSE(answer.came());
  (*library.token)(42);
  library.stage.world.run();
  EXPECT_EQ(answer.value(), 42);
}

struct Misuser {
  Task<Code> on(const Sum&) {
    Completion<int> without_token;
    auto value = co_await as_result(without_token);
    co_return value.has_value() ? Code::failed : value.error().code();
  }
  Task<Code> on(const Hold&) {
    Completion<int> twice;
    auto token = twice.token();
    auto another = twice.token();
    another(2);
    token(1);
    auto first = co_await twice;
    auto second = co_await as_result(twice);
    co_return first != 1 || second.has_value() ? Code::failed : second.error().code();
  }
};

TEST(Completion, AR_13_one_without_a_token_or_awaited_twice_is_an_error_and_no_wait_for_ever) {
  Stage stage;
  const auto misuser = stage.world.spawn<Misuser>();
  auto& without = stage.world.ask(misuser.ask<Sum>());
  auto& twice = stage.world.ask(misuser.ask<Hold>());
  stage.world.run();
  EXPECT_EQ(without.value(), Code::invalid);
  EXPECT_EQ(twice.value(), Code::invalid);
}

TEST(Completion, AR_13_an_error_fails_the_task) {
  Library library;
  auto& answer = library.stage.world.ask(library.reader.ask<Sum>());
  library.stage.world.run();
  (*library.token)(Error{Code::denied, "no"});
  library.stage.world.run();
  EXPECT_EQ(answer.code(), "denied");
}

TEST(Completion, AR_13_a_value_that_comes_before_the_await_is_not_lost) {
  Library library;
  ASSERT_TRUE(library.reader.tell<Hold>());
  library.stage.world.run();
  (*library.token)(7);
  library.stage.world.run();
  library.script.open_gate();
  library.stage.world.run();
  EXPECT_EQ(library.stage.log(), (Lines{"a 7"}));
}

TEST(Completion, AR_13_a_token_that_is_dropped_fails_its_completion) {
  Library library;
  auto& answer = library.stage.world.ask(library.reader.ask<Sum>());
  library.stage.world.run();
  library.token.reset();
  library.stage.world.run();
  EXPECT_EQ(answer.code(), "dropped");
}

TEST(Completion, AR_13_a_token_dropped_before_the_await_fails_it_too) {
  Library library;
  ASSERT_TRUE(library.reader.tell<Hold>());
  library.stage.world.run();
  library.token.reset();
  library.stage.world.run();
  library.script.open_gate();
  library.stage.world.run();
  EXPECT_EQ(library.stage.log(), (Lines{"a dropped"}));
}

TEST(Completion, AR_13_a_token_used_after_its_frame_or_actor_ended_is_late_and_harmless) {
  Library library;
  ASSERT_TRUE(library.reader.tell<Tick>());
  library.stage.world.run();
  (*library.token)(1);
  library.stage.world.run();
  EXPECT_EQ(library.stage.world.counters().late.value(), 1u);
  ASSERT_TRUE(library.reader.tell<Sum>());
  library.stage.world.run();
  library.reader.stop();
  library.stage.world.run();
  (*library.token)(2);
  library.stage.world.run();
  EXPECT_EQ(library.stage.world.counters().late.value(), 2u);
}

TEST(Completion, AR_13_a_token_answers_once) {
  Library library;
  auto& answer = library.stage.world.ask(library.reader.ask<Sum>());
  library.stage.world.run();
  (*library.token)(1);
  (*library.token)(2);
  library.stage.world.run();
  EXPECT_EQ(answer.value(), 1);
  EXPECT_EQ(library.stage.world.counters().late.value(), 0u);
}

}  // namespace
}  // namespace troupe
