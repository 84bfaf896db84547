// Behaviours: an actor that is one of several classes, and changes which. What each must answer, the compiler
// checks.
#include <iostream>
#include <string>

#include <troupe/troupe.hpp>

using troupe::Context, troupe::Messages, troupe::Result;

struct Open {};
struct Close {};
struct Enter {
  std::string who;
};
struct Deliver {
  std::string what;
};

struct OpenShop {
  int visitors = 0;

  std::string on(const Enter& enter) { return enter.who + " is visitor " + std::to_string(++visitors); }
  std::string on(const Deliver& delivery) { return delivery.what + " received"; }
  Result<void> on(const Close&, Context& context);
  using refused = Messages<Open>;
};

struct ClosedShop {
  Result<void> on(const Open&, Context& context) { return context.become(OpenShop{}); }
  // A message that a behaviour neither handles nor lists does not compile.
  using refused = Messages<Enter, Close>;
  using deferred = Messages<Deliver>;  // waits at the door until the shop changes
};

Result<void> OpenShop::on(const Close&, Context& context) { return context.become(ClosedShop{}); }

using Shop = troupe::OneOf<ClosedShop, OpenShop>;  // it starts as the first of them

void print(const Result<std::string>& answer) {
  std::cout << (answer.has_value() ? *answer : "refused: " + std::string(to_string(answer.error().code()))) << '\n';
}

int main() {
  troupe::System system;
  auto shop = system.spawn<Shop>();

  print(system.wait(shop.ask<Enter>("Ann")));
  auto delivery = system.future(shop.ask<Deliver>("cake"));

  shop.tell<Open>();
  print(delivery.get());
  print(system.wait(shop.ask<Enter>("Ann")));
  print(system.wait(shop.ask<Enter>("Bob")));

  // Each behaviour is a new object: the visitors of yesterday are forgotten.
  shop.tell<Close>();
  shop.tell<Open>();
  print(system.wait(shop.ask<Enter>("Cleo")));
}
