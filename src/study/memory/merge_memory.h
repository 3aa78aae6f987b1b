// SPDX-License-Identifier: Apache-2.0
// What several launches say of memory together.
#pragma once

#include <vector>

#include <strobe/record.h>

namespace strobe {

// Into the record of all: every number with its interval for the next launch; curves are the first one's.
void merge_memory(const std::vector<Record>& weighed, Record& whole);

// What the launch that recorded allocations says of them.
void add_recorded(const Record& recorded, MemoryAnswer&);

// Of several launches: it grows where all but one of them do.
MemoryGrowth growth_over(const std::vector<MemoryGrowth>&);

}  // namespace strobe
