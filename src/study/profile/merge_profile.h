// SPDX-License-Identifier: Apache-2.0
// What launches under a profiler and launches without one say together.
#pragma once

#include <vector>

#include <strobe/record.h>

namespace strobe {

// Into the record of the clean launches: what the profiled ones saw, with intervals for the next launch, and how much
// slower they were, by pairs in the order in which they were made.
void add_profiles(const std::vector<Record>& clean, const std::vector<Record>& profiled, Record& whole);

}  // namespace strobe
