// Text: a short string that needs no heap.
//
// Errors must say what happened in words, also on a device without an allocator and on the hot path, where
// most of them are never read. A Text points to a string literal, which costs nothing, or into a counted block of
// the current worker's pools. When the pools are exhausted the words are lost, never the error.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace troupe {

class Text {
 public:
  constexpr Text() noexcept = default;
  // A literal is kept by address. An array of non-const characters is a buffer and is copied.
  template <std::size_t N>
  constexpr Text(const char (&literal)[N]) noexcept : words_(literal) {}
  template <std::size_t N>
  Text(char (&buffer)[N]) noexcept : Text(std::string_view(buffer)) {}
  Text(std::string_view words) noexcept;
  // A string of whatever class, e.g. std::string, which core itself does not know.
  template <class String>
    requires(std::is_class_v<String> && std::convertible_to<const String&, std::string_view> &&
             !std::same_as<String, std::string_view>)
  Text(const String& words) noexcept : Text(std::string_view(words)) {}

  constexpr Text(const Text& other) noexcept : words_(other.words_), block_(other.block_) {
    if (block_ != nullptr) share();
  }
  constexpr Text(Text&& other) noexcept
      : words_(std::exchange(other.words_, "")), block_(std::exchange(other.block_, nullptr)) {}
  constexpr Text& operator=(const Text& other) noexcept {
    if (this != &other) *this = Text(other);
    return *this;
  }
  constexpr Text& operator=(Text&& other) noexcept {
    std::swap(words_, other.words_);
    std::swap(block_, other.block_);
    return *this;
  }
  constexpr ~Text() {
    if (block_ != nullptr) release();
  }

  // The name of a static thing (a type, a message) that is no literal of the caller's but lives as long.
  static constexpr Text lasting(const char* words) noexcept {
    Text text;
    text.words_ = words;
    return text;
  }

  [[nodiscard]] constexpr const char* c_str() const noexcept { return words_; }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return words_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return *words_ == '\0'; }

 private:
  struct Block;
  void share() const noexcept;
  void release() noexcept;

  const char* words_ = "";  // what to read, always
  Block* block_ = nullptr;  // who owns it; null for a literal
};

// Builds a Text from parts without a heap: Words() << "mailbox of " << name << " is full (" << 64 << ")".
class Words {
 public:
  Words& operator<<(std::string_view part) noexcept;
  Words& operator<<(std::uint64_t number) noexcept;
  [[nodiscard]] Text text() const noexcept { return Text(std::string_view(buffer_, size_)); }

 private:
  static constexpr std::size_t capacity = 384;
  char buffer_[capacity];
  std::size_t size_ = 0;
};

}  // namespace troupe
