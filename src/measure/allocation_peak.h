// SPDX-License-Identifier: Apache-2.0
// From allocations and their ends to what they amount to: over time, at their peak, and for what.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <strobe/record.h>
#include <strobe/workload.h>

namespace strobe {

struct AllocationPeak {
  double bytes = 0;
  std::map<std::string, double> by_cause;  // "" where nobody knows
};

// The first moment at which the most was given out at once.
AllocationPeak allocation_peak(const std::vector<AllocationEvent>&);

// They as a place of its own, with the phases of `like`: times are from `zero` on.
MemoryPlace place_of_allocations(const std::vector<AllocationEvent>&, std::chrono::nanoseconds zero,
                                 const std::vector<MemoryPhase>& like);

// The largest, `most` allocations and their ends, with the phase in which each was; of those that are alike the first
// in each phase.
std::vector<MemoryEvent> largest_events(const std::vector<AllocationEvent>&, std::chrono::nanoseconds zero,
                                        const std::vector<MemoryPhase>& phases, std::size_t most);

}  // namespace strobe
