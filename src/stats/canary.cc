#include "stats/canary.h"

#include <algorithm>

#include "stats/quantile.h"

namespace strobe::stats {

CanaryReading read_canary(std::span<const double> times, double best_known) {
  if (times.empty()) return {};
  const double smallest = *std::min_element(times.begin(), times.end());
  const double best = best_known > 0 ? std::min(best_known, smallest) : smallest;
  if (!(best > 0)) return {};
  const double excess = median_of(times) / best - 1;
  return {.excess = excess, .noisy = excess > kNoisyHost};
}

}  // namespace strobe::stats
