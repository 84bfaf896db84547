#include <troupe/runtime/address.hpp>

#include <algorithm>

namespace troupe {

namespace {

bool is_type(std::string_view type) noexcept {
  if (type.empty() || type.front() < 'a' || type.front() > 'z') return false;
  return std::ranges::all_of(type, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

// How long the UTF-8 sequence is that begins here; 0: it is none.
std::size_t sequence(std::string_view text) noexcept {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xf0 && lead < 0xf5 ? 4
                                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  const auto second = length > 1 ? static_cast<unsigned char>(text[1]) : 0;
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool beyond = (lead == 0xed && second >= 0xa0) || (lead == 0xf4 && second >= 0x90);
  return overlong || beyond ? 0 : length;
}

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

// `RULE_CHAIN` is `rule-chain`.
std::string folded(std::string_view type) {
  std::string result(type);
  const bool upper = std::ranges::any_of(result, [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!upper) return result;
  for (char& c : result) c = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

Error invalid(std::string_view what, std::string_view text, std::string_view advice) {
  return {Code::invalid, (Words() << "address \"" << text << "\": " << what << "; " << advice).text()};
}

}  // namespace

Result<Address> Address::parse(std::string_view text) {
  const std::size_t colon = text.find_first_of(":|");
  if (colon == std::string_view::npos) {
    return invalid("no colon", text, "write type:id, for example cart:7");
  }
  return make(folded(text.substr(0, colon)), text.substr(colon + 1));
}

Result<Address> Address::make(std::string_view type, std::string_view id) {
  const std::string whole = std::string(type) + ":" + std::string(id);
  if (!is_type(type)) {
    return invalid("a type begins with a letter and has a-z, 0-9 and - only", whole, "for example rule-chain:7");
  }
  if (id.empty() || id.size() > longest_id) {
    return invalid("an id has 1 to 256 bytes", whole, "shorten it, or hash it");
  }
  if (!is_utf8(id)) return invalid("the id is not UTF-8", type, "encode it first");
  return Address(std::string(type), std::string(id));
}

}  // namespace troupe
