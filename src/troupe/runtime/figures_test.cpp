// Figures and failures as a program reads them, in virtual time.
#include <troupe/runtime/figures.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <troupe/runtime/testkit.hpp>

namespace troupe {
namespace {

using namespace std::chrono_literals;

struct AddItem {};
struct Buy {};
struct Cart {
  Result<void> on(const AddItem&) { return Error{Code::failed, "no such item"}; }
};
struct Shop {
  Ref<Cart> cart;
  void on(const Buy&) { (void)cart.tell<AddItem>(); }
};

const TypeFigures& type_in(const Figures& figures, std::string_view type) {
  static const TypeFigures none{};
  const auto found = std::ranges::find(figures.types, type, &TypeFigures::type);
  return found == figures.types.end() ? none : *found;
}

TEST(Figures, AR_26_a_failure_is_reported_once_with_the_names_of_actor_and_sender) {
  testkit::Stage stage(1);
  auto failures = stage.system().events().subscribe(kinds(EventKind::failed));
  const auto cart = stage.spawn(Props<Cart>().named("7")).value();
  const auto shop = stage.spawn(Props<Shop>(cart).named("1")).value();
  ASSERT_TRUE(shop.tell<Buy>().accepted());
  stage.run_until_idle();
  const auto event = failures.next();
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->address, "cart:7");
  EXPECT_EQ(event->actor_type, "Cart");
  EXPECT_EQ(event->message, "AddItem");
  EXPECT_EQ(event->sender_address, "shop:1");
  EXPECT_EQ(to_string(*event), "cart:7 failed on AddItem: no such item (failed); sender shop:1");
  EXPECT_FALSE(failures.next().has_value());
  EXPECT_EQ(type_in(stage.system().figures(), "Cart").failed, 1u);
}

TEST(Figures, AR_26_a_sender_that_has_ended_has_no_name) {
  testkit::Stage stage(1);
  auto failures = stage.system().events().subscribe(kinds(EventKind::failed));
  const auto cart = stage.spawn(Props<Cart>().named("7")).value();
  const auto shop = stage.spawn(Props<Shop>(cart).named("1")).value();
  cart.suspend();
  ASSERT_TRUE(shop.tell<Buy>().accepted());
  stage.run_until_idle();
  shop.stop();
  stage.run_until_idle();
  cart.resume();
  stage.run_until_idle();
  const auto event = failures.next();
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->address, "cart:7");
  EXPECT_EQ(event->sender_address, "");
  EXPECT_EQ(event->sender, AnyRef(shop));
}

}  // namespace
}  // namespace troupe
