// SPDX-License-Identifier: Apache-2.0
#include "stats/autocorrelation.h"

#include <algorithm>
#include <cmath>

#include "stats/mean.h"

namespace strobe::stats {

double lag1(const Series& s) {
  const std::size_t n = s.values.size();
  const double centre = mean(s.values);
  const bool rounds_known = s.round.size() == n;
  double variance = 0;
  double covariance = 0;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = s.values[i] - centre;
    variance += x * x;
    if (i + 1 == n || (rounds_known && s.round[i] != s.round[i + 1])) continue;
    covariance += x * (s.values[i + 1] - centre);
    ++pairs;
  }
  if (pairs == 0 || !(variance > 0)) return 0;
  const double correlation = (covariance / static_cast<double>(pairs)) / (variance / static_cast<double>(n));
  return std::clamp(correlation, -1.0, 1.0);
}

}  // namespace strobe::stats
