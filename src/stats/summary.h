// SPDX-License-Identifier: Apache-2.0
// Everything a report says about one metric, in one call on the retained samples: they are sorted once, cut into
// batches once, and every rule of this folder is applied. Half a second at most for a million samples. Not the curve,
// which shows the warm-up, too.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "stats/batches.h"
#include "stats/drift.h"
#include "stats/effective_size.h"
#include "stats/estimate.h"
#include "stats/histogram.h"
#include "stats/level_shift.h"
#include "stats/modes.h"
#include "stats/outliers.h"
#include "stats/series.h"

namespace strobe::stats {

struct SummaryOptions {
  std::vector<double> percentiles = {0.9, 0.99, 0.999};
  Confidence confidence = {};
  double margin = kSmallestDrift;  // what the run aims at: a drift below it is none
  bool pictures = true;            // the histogram too
};

struct Percentile {
  double p = 0;
  Estimate estimate = {};
  EffectiveSize size = {};
  std::optional<std::size_t>
      needs;  // set: refused, this many requests would support it; the estimate is not to be shown
};

struct Summary {
  std::size_t n = 0;
  EffectiveSize size;  // at the median
  Estimate median;
  Estimate mean;
  double stddev = 0;
  double min = 0;
  double max = 0;
  std::vector<Percentile> percentiles;
  Outliers outliers;
  double lag1 = 0;
  Drift drift;
  std::vector<Range> blocks;  // samples of each block: `shifts` counts in blocks
  LevelShifts shifts;
  Modes modes;
  double tick = 0;  // as given; guessed from the values where it was unknown
  bool tick_guessed = false;
  Histogram histogram;
};

Summary summarize(const Series& s, const SummaryOptions& options = {});

}  // namespace strobe::stats
