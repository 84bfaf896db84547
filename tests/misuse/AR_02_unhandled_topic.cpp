// expect: Display.*Sold
// expect: ActorDoesNotHandle
#include <troupe/runtime/system.hpp>

struct PriceChanged {};
struct Sold {};

struct Display {
  void on(const PriceChanged&) {}
};

void use(troupe::System& system, const troupe::Ref<Display>& display) {
#ifdef TROUPE_CORRECT
  system.events().subscribe_to<PriceChanged>(display);
#else
  system.events().subscribe_to<Sold>(display);
#endif
}
