// SPDX-License-Identifier: Apache-2.0
// `strobe run --launches 5`: the same measurement in fresh processes, and figures that speak of other launches. Where a
// library, a page or a thread comes to lie is luck that a single process does not see.
#pragma once

#include <vector>

#include <strobe/measure.h>
#include <strobe/record.h>

#include "workload/open_model.h"

namespace strobe {

// measure.launches processes, at least 2. Progress and stop are those of the options.
Record run_launches(const OpenOptions&, const Options& measure);

// One record of several. A figure is that of the median launch; its interval holds what the next launch will read
// (stats/next_launch.h). Of a percentile it is the range over launches.
Record merge_launches(std::vector<Record> launches);

}  // namespace strobe
