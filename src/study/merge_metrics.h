// SPDX-License-Identifier: Apache-2.0
// From what several launches measured to what the next one will: figure by figure.
#pragma once

#include <vector>

#include <strobe/record.h>

namespace strobe {

// A figure is that of the median launch; its interval holds what the next launch will read (stats/next_launch.h). Of a
// percentile it is the range over launches. What only the first launch measured is as it was there; pictures and facts
// are the first one's. `slow_streams`: of each launch, where streams have levels.
Metrics merge_metrics(const std::vector<const Metrics*>& launches, const std::vector<bool>& slow_streams = {});

}  // namespace strobe
