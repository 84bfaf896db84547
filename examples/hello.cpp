// Hello: an actor is a plain class, a message a plain struct, a handler an overload of `on`.
#include <iostream>
#include <string>

#include <troupe/troupe.hpp>

struct Greet {
  std::string name;
};

struct Greeter {
  std::string on(const Greet& greet) { return "Hello, " + greet.name + "!"; }
};

int main() {
  troupe::System system;
  auto greeter = system.spawn<Greeter>();
  std::cout << system.wait(greeter.ask<Greet>("World")).value() << '\n';
}
