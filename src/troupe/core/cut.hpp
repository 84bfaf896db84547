// Cutting a system off: as by a power failure.
//
// Frames, messages and instances are destroyed where they are. No hook runs, nobody is answered, nothing is sent: a
// worker that is muted reaches no system any more, so a Reply or a token that is destroyed on the way stays silent.
#pragma once

#include <troupe/core/kernel.hpp>

namespace troupe::life {

// All actors of a kernel, children first. The caller has muted the worker, and nothing of the system runs.
void cut_all(Worker& worker, Kernel& kernel) noexcept;

}  // namespace troupe::life
