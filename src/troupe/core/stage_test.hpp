// Stage: a world, and a scripted actor that writes down all that happens to it.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include <troupe/core/children.hpp>
#include <troupe/core/completion.hpp>
#include <troupe/core/timer.hpp>
#include <troupe/core/watch.hpp>
#include <troupe/core/world_test.hpp>

namespace troupe {

using namespace std::chrono_literals;

// What one actor shall do, kept outside it: a restart does not change it.
struct Script {
  std::string name;
  Lines* log;
  int failing_starts = 0;  // so many more attempts fail
  Severity start_severity = Severity::failure;
  bool failing_end = false;
  bool hold_start = false;  // until the gate opens
  bool hold_end = false;
  Policy bears{};  // of the children it bears
  int made = 0;    // instances
  std::optional<Completion<void>::Token> gate{};

  void write(const std::string& words) const { log->push_back(name + " " + words); }
  void open_gate() {
    auto token = std::exchange(gate, std::nullopt);
    if (token.has_value()) (*token)();
  }
};

struct Add {
  int number;
};
struct Sum {};
struct Fail {
  Severity severity = Severity::failure;
};
struct Hold {};   // waits for the gate
struct Aside {};  // stashes itself, the first time
struct Unstash {};
struct Later {};  // keeps its reply
struct Now {      // answers the kept reply
  int number;
};
struct Bear {
  Script* script;
};
struct Look {
  AnyRef who;
};
struct Unlook {
  AnyRef who;
};
struct Tick {};
struct Arm {
  Duration delay;
};
struct Quit {};

struct Subject {
  Script* script;
  int sum = 0;
  bool put_aside = false;
  Reply<int> kept{};

  explicit Subject(Script* what) : script(what) { ++script->made; }
  ~Subject() { script->write("destroyed"); }

  Task<void> wait_for_gate() {
    Completion<void> opened;
    script->gate.emplace(opened.token());
    co_await opened;
  }
  Task<void> on(const Started& started) {
    script->write("started " + std::to_string(started.incarnation) + "/" + std::to_string(started.attempt));
    if (script->hold_start) co_await wait_for_gate();
    if (script->failing_starts > 0) {
      --script->failing_starts;
      Result<void> failed = Error{Code::failed, "cannot start"}.with(script->start_severity);
      co_await std::move(failed);
    }
  }
  Task<void> end(std::string words) {
    script->write(words);
    if (script->hold_end) {
      co_await wait_for_gate();
      script->write("let go");
    }
    if (script->failing_end) {
      Result<void> failed = Error{Code::failed, "cannot end"};
      co_await std::move(failed);
    }
  }
  Task<void> on(const Stopping& stopping) {
    std::string words = "stopping " + std::string(to_string(stopping.reason));
    if (stopping.forced) words += " forced";
    if (stopping.error != nullptr) words += ": " + std::string(stopping.error->text());
    return end(std::move(words));
  }
  Task<void> on(const Restarting& restarting) {
    return end(restarting.error == nullptr ? "restarting" : "restarting: " + std::string(restarting.error->text()));
  }
  void on(const Terminated& ended) {
    script->write("terminated " + std::string(to_string(ended.reason)) + (ended.forced ? " forced" : "") +
                  (ended.error.has_value() ? ": " + std::string(ended.error->text()) : ""));
  }
  void on(const ChildFailed& failed) {
    script->write("child failed at " + std::string(failed.message) + ": " + std::string(to_string(failed.decided)));
  }

  void on(const Add& add) {
    sum += add.number;
    script->write("add " + std::to_string(add.number));
  }
  int on(const Sum&) { return sum; }
  Result<void> on(const Fail& fail) {
    script->write("fail");
    return Error{Code::failed, "asked to fail"}.with(fail.severity);
  }
  Task<int> on(const Hold&) {
    script->write("hold");
    co_await wait_for_gate();
    script->write("held");
    co_return sum;
  }
  void on(const Aside&, Context& context) {
    if (!put_aside) {
      put_aside = true;
      (void)context.stash();
      return;
    }
    script->write("aside");
  }
  void on(const Unstash&, Context& context) { context.unstash(); }
  Kept<int> on(const Later&, Context& context) { return context.keep(kept); }
  void on(const Now& now) { kept(now.number); }
  void on(const Bear& bear, Context& context);
  void on(const Look& look, Context& context) { (void)context.watch(look.who); }
  void on(const Unlook& look, Context& context) { context.unwatch(look.who); }
  void on(const Tick&) { script->write("tick"); }
  void on(const Arm& arm, Context& context) { (void)context.after(this, arm.delay, Tick{}); }
  void on(const Quit&, Context& context) { context.stop(); }
};

inline void Subject::on(const Bear& bear, Context& context) {
  auto child = context.spawn(Props<Subject>(bear.script).on_failure(bear.script->bears));
  if (!child.has_value()) script->write("no child: " + std::string(to_string(child.error().code())));
}

class Stage {
 public:
  explicit Stage(const WorldOptions& options = {}) : world(options) {}
  ~Stage() {
    for (Script& script : scripts_) {
      script.hold_start = script.hold_end = false;
      script.gate.reset();
    }
    world.run();
  }

  Script& script(std::string name, Policy bears = {}) {
    scripts_.push_back({.name = std::move(name), .log = &log_, .bears = bears});
    return scripts_.back();
  }
  Ref<Subject> spawn(Script& script, const Policy& policy = {}) {
    return world.spawn(Props<Subject>(&script).on_failure(policy));
  }
  // A child of that actor; `nth` counts from the newest.
  Ref<Subject> child_of(const Ref<Subject>& parent, int nth = 0) {
    Cell* child = parent.cell().cell->side.load()->first_child;
    while (nth-- > 0) child = child->next_sibling;
    return Ref<Subject>(CellRef{child, child->generation.load()});
  }
  // A running child with that script.
  Ref<Subject> bear(const Ref<Subject>& parent, Script& script) {
    EXPECT_TRUE(parent.tell<Bear>(&script));
    world.run();
    return child_of(parent);
  }
  // What was written down since the last look.
  Lines log() { return std::exchange(log_, {}); }
  void forget() { log_.clear(); }

 private:
  Lines log_;
  std::deque<Script> scripts_;

 public:
  World world;
};

inline Life life_of(const Ref<Subject>& subject) { return subject.cell().cell->life; }

}  // namespace troupe
