#include <troupe/core/text.hpp>

#include <cstring>
#include <new>

#include <troupe/core/worker.hpp>

namespace troupe {

struct Text::Block {
  Atomic<std::uint32_t> owners;
  SizeClass size_class;

  [[nodiscard]] char* characters() noexcept { return reinterpret_cast<char*>(this + 1); }
};

Text::Text(std::string_view words) noexcept {
  if (words.empty()) return;
  const SizeClass size_class = size_class_of(sizeof(Block) + words.size() + 1);
  Worker* worker = memory_here();
  void* memory = worker == nullptr || size_class == 0 ? nullptr : worker->allocate(size_class);
  if (memory == nullptr) {
    words_ = "(no memory for the words)";
    return;
  }
  block_ = new (memory) Block{.owners = 1, .size_class = size_class};
  std::memcpy(block_->characters(), words.data(), words.size());
  block_->characters()[words.size()] = '\0';
  words_ = block_->characters();
}

void Text::share() const noexcept { block_->owners.fetch_add(1, order::relaxed); }

void Text::release() noexcept {
  if (block_->owners.fetch_sub(1, order::acq_rel) != 1) return;
  memory_here()->free(block_, block_->size_class);
}

Words& Words::operator<<(std::string_view part) noexcept {
  const std::size_t room = capacity - size_;
  const std::size_t taken = part.size() < room ? part.size() : room;
  std::memcpy(buffer_ + size_, part.data(), taken);
  size_ += taken;
  return *this;
}

Words& Words::operator<<(std::uint64_t number) noexcept {
  char digits[20];
  std::size_t first = sizeof(digits);
  do {
    digits[--first] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return *this << std::string_view(digits + first, sizeof(digits) - first);
}

}  // namespace troupe
