// SPDX-License-Identifier: Apache-2.0
// The mean and its interval from batch means with Student's t: honest under dependence shorter than a batch, and never
// narrower than the interval for independent samples. Outliers stay in (docs/statistics.md); with rare bursts the
// interval covers less than it says, which is why reports lead with the median.
#pragma once

#include <span>

#include "stats/batches.h"
#include "stats/estimate.h"

namespace strobe::stats {

double mean(std::span<const double> values);

// Of the sample (divisor n - 1); 0 below two samples.
double stddev(std::span<const double> values);

Estimate mean_interval(std::span<const double> values, std::span<const Range> batches, Confidence c = {});

}  // namespace strobe::stats
