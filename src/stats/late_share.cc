#include "stats/late_share.h"

#include <algorithm>
#include <vector>

#include "stats/batches.h"
#include "stats/distributions.h"
#include "stats/effective_size.h"
#include "stats/quantile.h"

namespace strobe::stats {

Estimate late_share(std::span<const double> values, double limit, Confidence c) {
  constexpr double kNear = 0.5;  // of the limit
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  const auto late =
      static_cast<double>(std::count_if(values.begin(), values.end(), [&](double x) { return x > limit; }));
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::vector<Range> parts = batches(values.size());
  double tau = effective_size(values, parts, limit, 1 - late / n, c).tau;
  for (const double p : {0.5, 0.9, 0.97}) {
    if (const double q = quantile(sorted, p); q >= kNear * limit)
      tau = std::max(tau, effective_size(values, parts, q, p, c).tau);
  }
  const double size = std::max(1.0, n / tau), late_ones = late / n * size;
  return {.value = late / n,
          .low = beta_quantile(tail(c), late_ones, size - late_ones + 1),
          .high = beta_quantile(1 - tail(c), late_ones + 1, size - late_ones)};
}

}  // namespace strobe::stats
