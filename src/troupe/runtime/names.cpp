#include <troupe/runtime/names.hpp>

#include <functional>

#include <troupe/core/side.hpp>

namespace troupe {

const Names::Shard& Names::shard_of(std::string_view address) const noexcept {
  return shards_[std::hash<std::string_view>{}(address) % shards];
}
Names::Shard& Names::shard_of(std::string_view address) noexcept {
  return shards_[std::hash<std::string_view>{}(address) % shards];
}

Result<CellRef> Names::claim(std::string_view type, std::string_view id, Directory::Open open, void* birth,
                             bool& taken) {
  Result<Address> address = Address::make(type, id);
  if (!address.has_value()) return std::unexpected<Error>(std::move(address.error()));
  const std::string text = address->text();
  Shard& shard = shard_of(text);
  const std::lock_guard lock(shard.mutex);
  auto [place, fresh] = shard.map.try_emplace(text);
  if (!fresh) {
    taken = true;
    return place->second;
  }
  // The map's nodes stay where they are, so the entry itself is the name's record.
  Result<CellRef> opened = open(birth, &*place);
  if (opened.has_value()) {
    place->second = *opened;
  } else {
    shard.map.erase(place);
  }
  return opened;
}

void Names::release(Cell& cell) {
  Side& side = *cell.side.load(order::relaxed);
  const auto* entry = static_cast<const Map::value_type*>(side.name);
  side.lock.lock();
  side.name = nullptr;
  side.lock.unlock();
  Shard& shard = shard_of(entry->first);
  const std::lock_guard lock(shard.mutex);
  shard.map.erase(shard.map.find(entry->first));
}

std::string Names::name_of(CellRef cell) {
  constexpr std::size_t longest = 512;
  char text[longest];  // nobody allocates under the lock
  std::size_t size = 0;
  Side* side = cell.cell == nullptr ? nullptr : cell.cell->side.load(order::acquire);
  if (side == nullptr) return {};
  side->lock.lock();
  if (side->cell == cell.cell && side->generation == cell.generation && side->name != nullptr) {
    size = static_cast<const Map::value_type*>(side->name)->first.copy(text, longest);
  }
  side->lock.unlock();
  return {text, size};
}

std::optional<CellRef> Names::find(std::string_view address) const {
  const Shard& shard = shard_of(address);
  const std::lock_guard lock(shard.mutex);
  const auto place = shard.map.find(std::string(address));
  if (place == shard.map.end()) return std::nullopt;
  return place->second;
}

std::size_t Names::size() const {
  std::size_t count = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    count += shard.map.size();
  }
  return count;
}

}  // namespace troupe
