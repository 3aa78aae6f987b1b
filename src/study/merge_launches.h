// SPDX-License-Identifier: Apache-2.0
// From the records of several launches to one that speaks of the next.
#pragma once

#include <vector>

#include <strobe/record.h>

namespace strobe {

// A figure is that of the median launch; its interval holds what the next launch will read (stats/next_launch.h). Of a
// percentile it is the range over launches. What only the first launch measured is as it was there. `margin`: within
// which a figure repeats.
Record merge_launches(std::vector<Record> launches, double margin);

}  // namespace strobe
