#include <troupe/core/hook.hpp>

namespace troupe::hooks {

Envelope* make_envelope(Worker& worker, Cell& cell, std::size_t message_bytes, std::uint8_t flag) noexcept {
  const SizeClass size_class = size_class_of(sizeof(Envelope) + message_bytes);
  void* memory = worker.allocate(size_class);
  if (memory == nullptr) {
    worker.kernel->publish(
        {.kind = EventKind::memory_exhausted, .actor = {&cell, cell.generation.load(order::relaxed)}});
    return nullptr;
  }
  auto* envelope = new (memory) Envelope{};
  envelope->generation = cell.generation.load(order::relaxed);
  envelope->lane = Lane::system;
  envelope->flags = flag;
  envelope->size_class = size_class;
  return envelope;
}

void tell_child_failed(Worker& worker, Cell& parent, ChildFailed message) noexcept {
  const ActorClass& actor_class = *parent.type.load(order::relaxed)->actor_class;
  Side& side = *parent.side.load(order::relaxed);
  if (actor_class.child_failed == nullptr) return;
  for (Envelope* notice = side.notices.first; notice != nullptr; notice = notice->next) {
    if (notice->deliver != actor_class.child_failed) continue;
    auto& older = *static_cast<ChildFailed*>(notice->payload());
    if (older.child != message.child) continue;
    older = std::move(message);
    return;
  }
  Envelope* envelope = make_envelope(worker, parent, sizeof(ChildFailed), Envelope::notice);
  if (envelope == nullptr) return;
  envelope->deliver = actor_class.child_failed;
  new (envelope->payload()) ChildFailed(std::move(message));
  side.notices.append(envelope);
  parent.need(Cell::has_notices);
}

}  // namespace troupe::hooks
