// SPDX-License-Identifier: Apache-2.0
// Samples far from their neighbours: labelled, never removed, because removing them falsifies tails and throughput.
// Beyond median +- 3 (P90 - P10) of the 201 samples around it, the band never below 4 ticks: at most 0.1 % false labels
// on skewed and coarsely timed data, where Tukey's fences label up to 9.5 % (docs/statistics.md). More than a tenth of
// a window far away is a mode, not an outlier: modes.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace strobe::stats {

struct Outliers {
  std::vector<std::uint32_t> index;    // of each labelled sample, ascending
  double share = 0;                    // of the samples
  double time_share = 0;               // of the sum of the values
  std::size_t early = 0;               // in the first 5 % of the samples: more than 5 hint at a warm-up
  std::optional<std::size_t> largest;  // index of the largest labelled sample
};

inline constexpr std::size_t kOutlierWindow = 201;

Outliers find_outliers(std::span<const double> values, double tick = 0);

}  // namespace strobe::stats
