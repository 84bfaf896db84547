// A full memory fence on every thread of the process at once, asked for by one of them.
#pragma once

namespace troupe::membarrier {

// False: this machine cannot do it, so nobody may be a guest of an OwnerLock.
[[nodiscard]] bool available() noexcept;
void everywhere() noexcept;

}  // namespace troupe::membarrier
