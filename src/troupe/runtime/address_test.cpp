#include <troupe/runtime/address.hpp>

#include <gtest/gtest.h>

namespace troupe {
namespace {

TEST(Address, AR_01_an_address_is_a_type_and_an_id) {
  const Address address = Address::parse("rule-chain:7:a").value();
  EXPECT_EQ(address.type(), "rule-chain");
  EXPECT_EQ(address.id(), "7:a");
  EXPECT_EQ(address.text(), "rule-chain:7:a");
}

TEST(Address, AR_01_older_forms_are_folded) {
  EXPECT_EQ(Address::parse("DEVICE|9f").value().text(), "device:9f");
  EXPECT_EQ(Address::parse("RULE_CHAIN:9f").value().text(), "rule-chain:9f");
}

TEST(Address, AR_01_a_bad_address_says_what_is_wrong_and_what_to_write) {
  for (const char* bad : {"cart", ":7", "cart:", "9cart:7", "ca rt:7"}) {
    const auto parsed = Address::parse(bad);
    ASSERT_FALSE(parsed.has_value()) << bad;
    EXPECT_EQ(parsed.error().code(), Code::invalid) << bad;
    EXPECT_FALSE(parsed.error().text().empty()) << bad;
  }
}

TEST(Address, AR_01_an_id_is_utf8_of_at_most_256_bytes) {
  EXPECT_TRUE(Address::make("cart", "größe-七").has_value());
  EXPECT_TRUE(Address::make("cart", std::string(256, 'x')).has_value());
  EXPECT_FALSE(Address::make("cart", std::string(257, 'x')).has_value());
  EXPECT_FALSE(Address::make("cart", "\xff").has_value());
  EXPECT_FALSE(Address::make("cart", "\xc0\x80").has_value()) << "overlong";
  EXPECT_FALSE(Address::make("cart", "\xed\xa0\x80").has_value()) << "surrogate";
}

}  // namespace
}  // namespace troupe
