// Stash: what comes too early is put aside, and handled in order when its time has come.
#include <iostream>
#include <string>

#include <troupe/troupe.hpp>

using troupe::Context, troupe::Props, troupe::Result;

struct Opened {};
struct Save {
  std::string line;
};

struct Journal {
  bool open = false;

  Result<void> on(const Save& save, Context& context) {
    if (!open) return context.stash();
    std::cout << "saved " << save.line << '\n';
    return {};
  }
  void on(const Opened&, Context& context) {
    std::cout << "opened, " << context.stashed() << " are waiting\n";
    open = true;
    context.unstash();
  }
};

int main() {
  troupe::System system({.print_warnings = false});
  auto journal = system.spawn(Props<Journal>().stash(2)).value();

  journal.tell<Save>("one");
  journal.tell<Save>("two");
  // A stash is bounded too. What finds it full is refused, and whoever asked is told.
  auto third = system.wait(journal.ask<Save>("three"));
  std::cout << "three: " << to_string(third.error().code()) << '\n';

  // The stashed ones come back in front of those that stand in the mailbox.
  journal.suspend();
  journal.tell<Opened>();
  journal.tell<Save>("four");
  journal.resume();
}
