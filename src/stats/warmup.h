// SPDX-License-Identifier: Apache-2.0
// Where a series stops settling. Robust MSER: of all cuts in the first half, the one after which the mean of the log
// block medians would be known best. Medians remove outliers, logarithms make the rule scale free, the clip keeps a
// burst from attracting the cut, the demanded gain of 5 % keeps needless cuts away. Evidence: docs/statistics.md. Not
// for changes slower than the window, thermal ones above all: nothing in the samples shows them.
#pragma once

#include <cstddef>
#include <span>

#include "stats/series.h"

namespace strobe::stats {

enum class Settling {
  flat,         // nothing to cut
  warm_up,      // the part cut off was slower
  slow_down,    // the part cut off was faster
  not_settled,  // the best cut is at the limit of what may be cut: no steady state in this window
};

struct Warmup {
  std::size_t cut = 0;     // blocks to drop
  std::size_t sample = 0;  // the same as an index into the series; 0 where only blocks were given
  Settling state = Settling::flat;
};

// `block_logs`: ln(median) of at most 100 blocks, in time order; below 20 blocks nothing is cut. `tick`: resolution of
// the clock relative to the level. Noise below 0.05 % counts as none, so that a noise-free series is cut where it
// jumps.
Warmup find_warmup(std::span<const double> block_logs, double tick);

// The same for a raw series, in blocks of whole rounds where there are 20 of them (warmup_blocks).
Warmup find_warmup(const Series& s);

}  // namespace strobe::stats
