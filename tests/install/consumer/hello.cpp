#include <cstdio>
#include <string>

#include <troupe/troupe.hpp>

struct Greet {
  std::string name;
};

struct Greeter {
  troupe::Result<std::string> on(const Greet& greet) {
    if (greet.name.empty()) return std::unexpected(troupe::Error{troupe::Code::failed, "nobody to greet"});
    return "Hello, " + greet.name + "!";
  }
};

int main() {
  troupe::System system;
  auto greeter = system.spawn<Greeter>();
  std::puts(system.wait(greeter.ask<Greet>("World")).value().c_str());
}
