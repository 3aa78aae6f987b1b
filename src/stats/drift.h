// SPDX-License-Identifier: Apache-2.0
// Does the level move over the window? Mann-Kendall's S on the log medians of 16 batches says whether there is a trend,
// Theil and Sen's slope how large it is; both must speak. Sixteen, because 32 raised the power but also the false
// alarms under slow regimes, up to 13 % (docs/statistics.md). A V-shaped or periodic change cancels in S: level_shift.h
// is for those.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "stats/batches.h"

namespace strobe::stats {

struct Drift {
  std::int64_t s = 0;    // Mann-Kendall: later values above earlier ones, less the opposite
  double change = 0;     // of the level over the window, as a logarithm: 0.04 is +4 %
  bool trend = false;    // |s| has p < 0.01 were there no trend
  bool flagged = false;  // a trend, and larger than the margin
};

inline constexpr double kSmallestDrift = 0.005;

std::int64_t mann_kendall(std::span<const double> values);

// Smallest |S| with p < 0.01 for `count` untied values. Exact below 16 (unreachable below 6); from 16 on the normal
// approximation with continuity correction, which gives 60 for 16 values where the exact p is 0.0064.
std::int64_t mann_kendall_critical(std::size_t count);

// Median of the slopes between all pairs of points.
double theil_sen(std::span<const double> x, std::span<const double> y);

// `margin`: the relative half width the run aims at; a change below max(0.5 %, margin) is no drift.
Drift find_drift(std::span<const double> log_medians, std::span<const Range> batches, double margin = kSmallestDrift);

}  // namespace strobe::stats
