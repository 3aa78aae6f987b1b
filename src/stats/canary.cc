// SPDX-License-Identifier: Apache-2.0
#include "stats/canary.h"

#include <algorithm>

#include "stats/quantile.h"

namespace strobe::stats {

double canary_excess(std::span<const double> times) {
  if (times.empty()) return 0;
  const double best = *std::min_element(times.begin(), times.end());
  return best > 0 ? median_of(times) / best - 1 : 0;
}

}  // namespace strobe::stats
