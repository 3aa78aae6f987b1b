// SPDX-License-Identifier: Apache-2.0
// Does a pass still feel the one before it? The first half of every segment is compared with its second half: if they
// differ over the rounds, the settling part that is dropped after a switch was too short, and the figures carry the
// neighbour's caches, clocks or power state. Power and false alarms: docs/statistics.md.
#pragma once

#include <vector>

#include "stats/estimate.h"
#include "stats/series.h"

namespace strobe::stats {

struct PassCoupling {
  Estimate effect = {};  // ln(first half / second half), 99 % interval
  bool coupled = false;  // the interval excludes 0 and the effect exceeds 1 %
};

// ln(median of the first half / median of the second half) of each round with at least 4 samples.
std::vector<double> half_ratios(const Series& s);

PassCoupling pass_coupling(const Series& s);

}  // namespace strobe::stats
