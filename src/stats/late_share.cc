// SPDX-License-Identifier: Apache-2.0
#include "stats/late_share.h"

#include <algorithm>
#include <vector>

#include "stats/batches.h"
#include "stats/distributions.h"
#include "stats/effective_size.h"
#include "stats/quantile.h"

namespace strobe::stats {
namespace {

// Beyond this even an exponential tail through the median and the 97th percentile would have one in 150,000 late.
bool in_reach(std::span<const double> sorted, double limit) {
  const double middle = quantile(sorted, 0.5);
  return limit <= middle + 4 * (quantile(sorted, 0.97) - middle);
}

}  // namespace

Estimate late_share(std::span<const double> values, double limit, Confidence c) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  const auto late =
      static_cast<double>(std::count_if(values.begin(), values.end(), [&](double x) { return x > limit; }));
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::vector<Range> parts = batches(values.size());
  double tau = effective_size(values, parts, limit, 1 - late / n, c).tau;
  if (in_reach(sorted, limit)) {
    for (const double p : {0.5, 0.9, 0.97})
      tau = std::max(tau, effective_size(values, parts, quantile(sorted, p), p, c).tau);
  }
  const double size = std::max(1.0, n / tau), late_ones = late / n * size;
  return {.value = late / n,
          .low = beta_quantile(tail(c), late_ones, size - late_ones + 1),
          .high = beta_quantile(1 - tail(c), late_ones + 1, size - late_ones)};
}

}  // namespace strobe::stats
