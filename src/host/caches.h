// SPDX-License-Identifier: Apache-2.0
// The CPU's caches, as the kernel describes them.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/units.h"

namespace strobe {

// The last-level caches of the CPUs that this thread may run on, together; none: the kernel does not tell.
std::optional<Bytes> last_level_cache();

// The same of these CPUs, in a folder like /sys/devices/system/cpu.
std::optional<Bytes> last_level_cache(const std::string& folder, std::span<const int> cpus);

}  // namespace strobe
