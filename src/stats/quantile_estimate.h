// SPDX-License-Identifier: Apache-2.0
// One routine for every quantile of a dependent series: the observed value, the effective size at that value, and the
// interval whose ranks it widens. Reported together, because an interval without its n_eff cannot be judged.
#pragma once

#include <span>

#include "stats/batches.h"
#include "stats/effective_size.h"
#include "stats/estimate.h"

namespace strobe::stats {

struct QuantileEstimate {
  double p = 0.5;
  Estimate estimate = {};
  EffectiveSize size = {};
};

// `values` in time order, `sorted` the same values in ascending order.
QuantileEstimate estimate_quantile(std::span<const double> values, std::span<const double> sorted,
                                   std::span<const Range> batches, double p, Confidence c = {});

// Enough independent samples to bound the quantile on both sides.
bool supported(const QuantileEstimate& q, Confidence c = {});

}  // namespace strobe::stats
