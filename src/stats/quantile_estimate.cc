// SPDX-License-Identifier: Apache-2.0
#include "stats/quantile_estimate.h"

#include "stats/quantile.h"

namespace strobe::stats {

QuantileEstimate estimate_quantile(std::span<const double> values, std::span<const double> sorted,
                                   std::span<const Range> batches, double p, Confidence c) {
  const EffectiveSize size = effective_size(values, batches, quantile(sorted, p), p, c);
  return {.p = p, .estimate = quantile_interval(sorted, p, size.n_eff, c), .size = size};
}

bool supported(const QuantileEstimate& q, Confidence c) {
  return bounded(q.estimate) && q.size.n_eff >= static_cast<double>(required_effective(q.p, c));
}

}  // namespace strobe::stats
