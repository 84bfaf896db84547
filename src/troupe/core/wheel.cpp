#include <troupe/core/wheel.hpp>

#include <algorithm>
#include <bit>

namespace troupe {

Wheel::Wheel(Instant now) noexcept : tick_(now >> tick_shift) {
  for (WheelNode& head : heads_) head.previous = head.next = &head;
}

// The ring is chosen by distance, the slot in it by the absolute tick, so a node moves down one ring each time the
// ring below comes round to its slot. What lies beyond the last ring waits in its farthest slot and is sorted again.
unsigned Wheel::slot_of(std::uint64_t tick) const noexcept {
  tick = std::max(tick, tick_);
  std::uint64_t distance = tick - tick_;
  if (distance < first_slots) return static_cast<unsigned>(tick & (first_slots - 1));
  unsigned shift = first_bits;
  for (unsigned ring = 0;; ++ring, shift += ring_bits) {
    const std::uint64_t reach = std::uint64_t{ring_slots} << shift;
    const bool last = ring + 1 == rings;
    if (distance >= reach && last) tick = tick_ + reach - 1;
    if (distance < reach || last) {
      return static_cast<unsigned>(first_slots + ring * ring_slots + ((tick >> shift) & (ring_slots - 1)));
    }
  }
}

void Wheel::link(WheelNode& node) noexcept {
  const unsigned slot = slot_of(node.due >> tick_shift);
  WheelNode& head = heads_[slot];
  node.next = &head;
  node.previous = head.previous;
  head.previous->next = &node;
  head.previous = &node;
  used_[slot / 64] |= std::uint64_t{1} << (slot % 64);
}

void Wheel::unlink(WheelNode& node) noexcept {
  WheelNode* next = node.next;
  node.previous->next = next;
  next->previous = node.previous;
  if (next->next == next && next >= heads_ && next < heads_ + slots) {
    const auto slot = static_cast<unsigned>(next - heads_);
    used_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
  }
  node.next = node.previous = nullptr;
}

void Wheel::arm(WheelNode& node, Instant due) noexcept {
  node.due = due;
  link(node);
  ++size_;
}

void Wheel::cancel(WheelNode& node) noexcept {
  unlink(node);
  --size_;
}

// Called when the first ring begins a new round: the slots above that begin here are spread over the rings below.
void Wheel::cascade() noexcept {
  unsigned shift = first_bits;
  for (unsigned ring = 0; ring < rings; ++ring, shift += ring_bits) {
    const auto position = static_cast<unsigned>((tick_ >> shift) & (ring_slots - 1));
    WheelNode& head = heads_[first_slots + ring * ring_slots + position];
    WheelNode* last = head.previous;  // what is linked anew may land in this very slot: stop at the old end
    for (bool more = head.next != &head; more;) {
      WheelNode& node = *head.next;
      more = &node != last;
      unlink(node);
      link(node);
    }
    if (position != 0) return;
  }
}

// The next tick worth a look: a used slot of the first ring, or the beginning of its next round; while the first ring is
// empty, the beginning of the next used slot of the rings above. So a clock that jumps over days takes a few steps.
std::uint64_t Wheel::next_stop(std::uint64_t target) const noexcept {
  if ((used_[0] | used_[1] | used_[2] | used_[3]) == 0) return next_used_above(target);
  const std::uint64_t round = (tick_ | (first_slots - 1)) + 1;
  const std::uint64_t end = std::min(target, round);
  for (std::uint64_t tick = tick_ + 1; tick < end;) {
    const auto slot = static_cast<unsigned>(tick & (first_slots - 1));
    const std::uint64_t bits = used_[slot / 64] >> (slot % 64);
    if (bits != 0) return std::min(end, tick + static_cast<unsigned>(std::countr_zero(bits)));
    tick += 64 - slot % 64;
  }
  return end;
}

std::uint64_t Wheel::next_used_above(std::uint64_t target) const noexcept {
  std::uint64_t earliest = target;
  unsigned shift = first_bits;
  for (unsigned ring = 0; ring < rings; ++ring, shift += ring_bits) {
    const std::uint64_t used = used_[first_slots / 64 + ring];
    if (used == 0) continue;
    // From the slot after this moment's on: what lies in this one is a whole round away.
    const std::uint64_t next = (tick_ >> shift) + 1;
    const auto turned = std::rotr(used, static_cast<int>(next & (ring_slots - 1)));
    earliest = std::min(earliest, (next + static_cast<unsigned>(std::countr_zero(turned))) << shift);
  }
  return earliest;
}

WheelNode* Wheel::expire(Instant now) noexcept {
  const std::uint64_t target = now >> tick_shift;
  for (;;) {
    if (size_ == 0) {
      tick_ = std::max(tick_, target);
      return nullptr;
    }
    WheelNode& head = heads_[tick_ & (first_slots - 1)];
    for (WheelNode* node = head.next; node != &head; node = node->next) {
      if (node->due > now) continue;
      cancel(*node);
      return node;
    }
    if (tick_ >= target) return nullptr;
    tick_ = next_stop(target);
    if ((tick_ & (first_slots - 1)) == 0) cascade();
  }
}

WheelNode* Wheel::pop() noexcept {
  for (WheelNode& head : heads_) {
    if (head.next == &head) continue;
    WheelNode* node = head.next;
    cancel(*node);
    return node;
  }
  return nullptr;
}

Instant Wheel::earliest_in(unsigned slot) const noexcept {
  Instant earliest = end_of_time;
  const WheelNode& head = heads_[slot];
  for (const WheelNode* node = head.next; node != &head; node = node->next) earliest = std::min(earliest, node->due);
  return earliest;
}

Instant Wheel::earliest_near() const noexcept {
  for (std::uint64_t tick = tick_; tick < tick_ + first_slots;) {
    const auto slot = static_cast<unsigned>(tick & (first_slots - 1));
    const std::uint64_t bits = used_[slot / 64] >> (slot % 64);
    if (bits != 0) return earliest_in(slot + static_cast<unsigned>(std::countr_zero(bits)));
    tick += 64 - slot % 64;
  }
  return end_of_time;
}

Instant Wheel::next_look() const noexcept {
  if (size_ == 0) return end_of_time;
  constexpr std::uint64_t never = end_of_time >> tick_shift;
  const std::uint64_t above = next_used_above(never);
  return std::min(earliest_near(), above == never ? end_of_time : above << tick_shift);
}

// In each ring the first used slot from here on holds the ring's earliest node, unless all that lies there belongs
// beyond the last ring and only waits to be sorted again: then a later slot may hold an earlier one.
Instant Wheel::next_due() const noexcept {
  if (size_ == 0) return end_of_time;
  Instant earliest = end_of_time;
  const auto look = [&](unsigned base, unsigned count, std::uint64_t position, unsigned shift) {
    for (std::uint64_t at = position; at < position + count; ++at) {
      const unsigned slot = base + static_cast<unsigned>(at & (count - 1));
      if ((used_[slot / 64] >> (slot % 64) & 1) == 0) continue;
      const Instant found = earliest_in(slot);
      earliest = std::min(earliest, found);
      if (found >> tick_shift >> shift <= at) return;
    }
  };
  look(0, first_slots, tick_, 0);
  unsigned shift = first_bits;
  for (unsigned ring = 0; ring < rings; ++ring, shift += ring_bits) {
    // A node in the slot of this very moment is a whole round away, so the ring's order begins one further.
    look(first_slots + ring * ring_slots, ring_slots, (tick_ >> shift) + 1, shift);
  }
  return earliest;
}

}  // namespace troupe
