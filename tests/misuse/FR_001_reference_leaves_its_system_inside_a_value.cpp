// expect: ReferenceLeavesItsSystem<.*optional<.*Counter
// expect: ReferenceLeavesItsSystem<.*vector<.*Counter
// expect: ReferenceLeavesItsSystem<.*tuple<.*Counter
// expect: ReferenceLeavesItsSystem<.*expected<.*Counter
#include <optional>
#include <tuple>
#include <vector>

#include <troupe/runtime/run.hpp>

struct Counter {
  void on(const int&) {}
};

#ifdef TROUPE_CORRECT
using Returned = int;
#else
using Returned = troupe::Ref<Counter>;
#endif

void use() {
  (void)troupe::run([](troupe::System&) { return std::optional<Returned>(); });
  (void)troupe::run([](troupe::System&) { return std::vector<Returned>(); });
  (void)troupe::run([](troupe::System&) { return std::tuple<int, Returned>(); });
  (void)troupe::run([](troupe::System&) { return troupe::Result<Returned>(); });
}
