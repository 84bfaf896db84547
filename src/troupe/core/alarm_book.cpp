#include <troupe/core/alarm_book.hpp>

#include <troupe/core/alarm.hpp>

namespace troupe {

namespace {

constexpr std::uint8_t first_doublings = 4;

void link(Alarm** chain, Alarm& alarm) noexcept {
  alarm.previous = nullptr;
  alarm.next = *chain;
  if (alarm.next != nullptr) alarm.next->previous = &alarm;
  *chain = &alarm;
}

}  // namespace

Alarm** AlarmBook::chain_of(std::uint64_t key) const noexcept {
  if (table_ == nullptr) return const_cast<Alarm**>(&single_);
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;  // spreads keys that follow each other
  return table_ + (key * golden >> (64 - doublings_));
}

void AlarmBook::add(Memory& memory, Alarm& alarm) noexcept {
  if (size_ >= per_chain << doublings_) grow(memory);
  link(chain_of(alarm.key), alarm);
  ++size_;
}

void AlarmBook::remove(Memory& memory, Alarm& alarm) noexcept {
  (alarm.previous != nullptr ? alarm.previous->next : *chain_of(alarm.key)) = alarm.next;
  if (alarm.next != nullptr) alarm.next->previous = alarm.previous;
  if (--size_ > 0 || table_ == nullptr) return;
  memory.free(table_, table_class_);
  table_ = nullptr;
  doublings_ = 0;
}

Alarm* AlarmBook::find(std::uint64_t key) const noexcept {
  Alarm* alarm = *chain_of(key);
  while (alarm != nullptr && (alarm->kind != Alarm::Kind::timer || alarm->key != key)) alarm = alarm->next;
  return alarm;
}

Alarm* AlarmBook::any() const noexcept {
  if (size_ == 0) return nullptr;
  Alarm** chain = table_ == nullptr ? const_cast<Alarm**>(&single_) : table_;
  while (*chain == nullptr) ++chain;
  return *chain;
}

void AlarmBook::grow(Memory& memory) noexcept {
  const auto doublings = static_cast<std::uint8_t>(table_ == nullptr ? first_doublings : doublings_ + 1);
  const SizeClass size_class = size_class_of(sizeof(Alarm*) << doublings);
  void* block = size_class == 0 ? nullptr : memory.allocate(size_class);
  if (block == nullptr) return;
  Alarm** old = table_ == nullptr ? &single_ : table_;
  const std::uint32_t old_chains = 1u << doublings_;
  const SizeClass old_class = table_class_;
  table_ = static_cast<Alarm**>(block);
  table_class_ = size_class;
  doublings_ = doublings;
  for (std::uint32_t i = 0; i < 1u << doublings; ++i) table_[i] = nullptr;
  for (std::uint32_t i = 0; i < old_chains; ++i) {
    while (Alarm* alarm = old[i]) {
      old[i] = alarm->next;
      link(chain_of(alarm->key), *alarm);
    }
  }
  if (old != &single_) memory.free(old, old_class);
}

}  // namespace troupe
