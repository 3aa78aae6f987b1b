// SPDX-License-Identifier: Apache-2.0
// `strobe run`: the same measurement in several fresh processes, and figures that speak of the next one. Where memory,
// streams and threads come to lie is luck that is drawn once a launch, and that a single process does not see.
#pragma once

#include <vector>

#include <strobe/record.h>

#include "study/run.h"

namespace strobe {

// As many launches as the effort, the user and the time allow: each in a process of its own, while this one opens
// neither device nor runtime. A single one is measured here.
Record run_launches(const RunOptions&);

// One record of several. A figure is that of the median launch; its interval holds what the next launch will read
// (stats/next_launch.h). Of a percentile it is the range over launches. What only the first launch measured is as it
// was there.
Record merge_launches(std::vector<Record> launches, double margin);

}  // namespace strobe
