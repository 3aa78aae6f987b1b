// SPDX-License-Identifier: Apache-2.0
// Several typical values instead of one: peaks of a smooth density of ln x, split where the valley between them is at
// most half the lower peak, each with at least 5 % of the samples. The smoothing is never below one tick, so that a
// coarse clock's comb is no forest of modes. Two modes 3 sigma apart are not seen; 5 sigma are (docs/statistics.md).
#pragma once

#include <span>
#include <vector>

#include "stats/series.h"

namespace strobe::stats {

struct Mode {
  double centre = 0;  // median of its samples
  double share = 0;   // of all samples
};

struct Modes {
  std::vector<Mode> modes;  // ascending; one when the distribution has a single peak
  bool ordered = false;     // the modes take turns in time (regimes); else mixed: they depend on the input or the path
};

// Fewest samples a density is looked at for.
inline constexpr std::size_t kFewestForModes = 100;

// `sorted`: the values of `s` in ascending order.
Modes find_modes(std::span<const double> sorted, const Series& s);

}  // namespace strobe::stats
