// What the operating system tells about this machine: read once, before anything is measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <strobe/record.h>

#include "base/units.h"

namespace strobe {

Scalars host_facts();

// The least of the machine's free memory and what the cgroup still allows.
std::optional<Bytes> available_memory();

// The words this program was started with.
std::vector<std::string> command_line();

// Now, as ISO 8601 in UTC.
std::string utc_now();

}  // namespace strobe
