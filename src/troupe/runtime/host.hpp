// Makes a thread's memory and its doors available to core. Included by the umbrella header, so that an Error or a
// handler works in a program that has not made a System yet.
#pragma once

namespace troupe::detail {

void install_host() noexcept;
inline const bool host_installed = (install_host(), true);

}  // namespace troupe::detail
