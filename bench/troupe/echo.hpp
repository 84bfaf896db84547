// Who answers every ask with what it was asked.
#pragma once

#include "case.hpp"

struct Get {
  std::uint64_t number;
};
struct Echo {
  std::uint64_t on(const Get& get) { return get.number; }
};
