// SPDX-License-Identifier: Apache-2.0
// Samples of one metric in time order, as the analyses take them. Only `values` is required. Values are finite; times
// are positive but for a coarse clock's zeros. The spans are views: the owner of the samples keeps them alive.
#pragma once

#include <cstdint>
#include <span>

namespace strobe::stats {

struct Series {
  std::span<const double> values;
  std::span<const std::uint32_t> round = {};  // the round each sample was taken in, non-decreasing; empty: one round
  std::span<const double> at_seconds = {};    // when each sample began, ascending; empty: unknown
  double tick = 0;                            // resolution of the clock, in the unit of the values; 0: unknown
};

// The samples from index `first` on.
Series from(const Series& s, std::size_t first);

// The clock's resolution relative to the level of the series: the unit in which logarithms of it are compared.
double relative_tick(const Series& s, double level);

}  // namespace strobe::stats
