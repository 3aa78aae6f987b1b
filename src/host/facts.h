// SPDX-License-Identifier: Apache-2.0
// What the operating system tells about this machine: read once, before anything is measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <strobe/record.h>

#include "base/units.h"

namespace strobe {

Scalars host_facts();

// The folder of this process's cgroup (version 2).
std::string cgroup_folder();

// CPUs' worth of time that the cgroup allows, where it limits them: "200000 100000" is 2.
std::optional<double> parse_cpu_max(std::string_view text);

// How many CPUs this process may use.
std::int64_t allowed_cpus();

// The least of the machine's free memory and what the cgroup still allows.
std::optional<Bytes> available_memory();

// The words this program was started with.
std::vector<std::string> command_line();

// Now, as ISO 8601 in UTC.
std::string utc_now();

}  // namespace strobe
