// SPDX-License-Identifier: Apache-2.0
// Which CPUs the measuring thread may run on.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace strobe {

// "0-3,8" as the kernel writes lists of CPUs; what cannot be read is left out.
std::vector<int> parse_cpu_list(std::string_view text);

std::optional<int> current_numa_node();  // of the CPU that this thread runs on
std::vector<int> cpus_of_numa_node(int node);

// This thread, and those that it starts later, run on these CPUs alone, as far as they were allowed before it was first
// pinned. False: none of them was.
bool pin_to(const std::vector<int>& cpus);
// This thread may run where it might before it was pinned, unless somebody else has changed that meanwhile.
void unpin();

}  // namespace strobe
