// SPDX-License-Identifier: Apache-2.0
// The distribution as a record keeps it: at most 200 bins. Even widths, or even ratios when the values span more than a
// factor of ten. Freedman and Diaconis choose the width; it is never below a tick, and a whole number of them, or a
// coarse clock would draw a comb.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace strobe::stats {

struct Histogram {
  bool logarithmic = false;
  std::vector<double> edges;  // one more than counts; bin i holds edges[i] <= x < edges[i+1], the last its end too
  std::vector<std::size_t> counts;
};

inline constexpr std::size_t kMostBins = 200;

Histogram histogram(std::span<const double> sorted, double tick = 0);

}  // namespace strobe::stats
