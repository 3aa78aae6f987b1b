// SPDX-License-Identifier: Apache-2.0
// How many independent samples a dependent series is worth for one quantile. The share of samples below the quantile is
// taken in each batch: its spread over batches, against that of independent samples, is the inflation tau. The factor
// (t/z)^2 pays for estimating tau from few batches (Korn and Graubard). Sees no dependence longer than a batch.
#pragma once

#include <span>

#include "stats/batches.h"
#include "stats/estimate.h"

namespace strobe::stats {

struct EffectiveSize {
  double tau = 1;    // samples per independent sample, at least 1
  double n_eff = 0;  // floor(n / tau)
};

// Below this an interval of the median is marked unreliable: dependence is about as long as the batches.
inline constexpr double kReliableEffective = 30;

// `threshold` is the quantile's value, `p` its level.
EffectiveSize effective_size(std::span<const double> values, std::span<const Range> batches, double threshold, double p,
                             Confidence c = {});

}  // namespace strobe::stats
