// Address: how an actor is known to people, `type:id`.
//
// A type is `[a-z][a-z0-9-]*`, an id any UTF-8 of 1 to 256 bytes. The forms `DEVICE|uuid` and `RULE_CHAIN:uuid` of older
// systems are accepted and folded to `device:uuid` and `rule-chain:uuid`.
#pragma once

#include <string>
#include <string_view>

#include <troupe/core/error.hpp>

namespace troupe {

class Address {
 public:
  static constexpr std::size_t longest_id = 256;

  [[nodiscard]] static Result<Address> parse(std::string_view text);
  [[nodiscard]] static Result<Address> make(std::string_view type, std::string_view id);

  [[nodiscard]] const std::string& type() const noexcept { return type_; }
  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  [[nodiscard]] std::string text() const { return type_ + ":" + id_; }
  friend bool operator==(const Address&, const Address&) = default;

 private:
  Address(std::string type, std::string id) : type_(std::move(type)), id_(std::move(id)) {}
  std::string type_;
  std::string id_;
};

}  // namespace troupe
