// SPDX-License-Identifier: Apache-2.0
// From the records of several launches to one that speaks of the next.
#pragma once

#include <functional>
#include <vector>

#include <strobe/record.h>

namespace strobe {

// A figure is that of the median launch; its interval holds what the next launch will read (stats/next_launch.h). Of a
// percentile it is the range over launches. What only the first launch measured is as it was there. `margin`: within
// which a figure repeats. Records that say `one_process` are loads: then the next one is a load in the same process,
// and the words say so. `more` merges what only the study knows, before the whole is judged.
Record merge_launches(std::vector<Record> launches, double margin,
                      const std::function<void(const std::vector<Record>& launches, Record& whole)>& more = {});

}  // namespace strobe
