// SPDX-License-Identifier: Apache-2.0
// Memory of this process as the kernel sees it.
#pragma once

#include <cstdint>

#include "base/units.h"

namespace strobe {

Bytes peak_memory();  // the most that was resident at once
Bytes data_memory();  // mapped for data of its own, touched or not: what RLIMIT_DATA limits

// How often the kernel has ended a process of this machine or of our cgroup for want of memory.
std::uint64_t oom_kills();

// Should memory end all the same, this process is the one to go, not the user's desktop.
void volunteer_for_the_oom_killer();

}  // namespace strobe
