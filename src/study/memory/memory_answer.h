// SPDX-License-Identifier: Apache-2.0
// From what was read in one launch to what it says of memory.
#pragma once

#include <strobe/record.h>
#include <strobe/workload.h>

#include "base/units.h"

namespace strobe {

// Of a record whose places are there: fills the metric, the allocator and the parts; of a launch that recorded, also
// the allocations. `zero`: when the launch began, on the device's clock.
void describe_memory(Workload&, bool recorded, nanoseconds zero, Record&);

// The phase of this name in a place, or null.
const MemoryPhase* phase_named(const MemoryPlace&, const char* name);

// Against --limit, by the peak's interval; one launch has none, and is taken at its word.
void decide_fit(std::uint64_t limit, Record&);

}  // namespace strobe
