// Names: which actor has which address in one system.
//
// A name is claimed and its actor opened under one lock, so of a thousand racing get-or-creates one makes the instance
// and all see it. No user code runs under the lock: the factory runs later, in the actor's own first turn.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <troupe/core/kernel.hpp>
#include <troupe/runtime/address.hpp>

namespace troupe {

class Names {
 public:
  Result<CellRef> claim(std::string_view type, std::string_view id, Directory::Open open, void* birth, bool& taken);
  void release(Cell& cell);

  // The name of an actor, empty if it has none or has ended; from any thread. The side's lock guards the record: whoever
  // frees a name takes it out of the side first.
  [[nodiscard]] static std::string name_of(CellRef cell);

  [[nodiscard]] std::optional<CellRef> find(std::string_view address) const;
  [[nodiscard]] std::size_t size() const;

 private:
  static constexpr std::size_t shards = 16;
  using Map = std::unordered_map<std::string, CellRef>;
  struct Shard {
    mutable std::mutex mutex;
    Map map;
  };
  [[nodiscard]] Shard& shard_of(std::string_view address) noexcept;
  [[nodiscard]] const Shard& shard_of(std::string_view address) const noexcept;

  Shard shards_[shards];
};

}  // namespace troupe
