// SPDX-License-Identifier: Apache-2.0
// Correlation of each sample with the next, for information: no rule decides by it, because dependence is already
// inside every interval (effective_size.h). Pairs that straddle two rounds are left out.
#pragma once

#include "stats/series.h"

namespace strobe::stats {

// In [-1, 1]; 0 for a constant series.
double lag1(const Series& s);

}  // namespace strobe::stats
