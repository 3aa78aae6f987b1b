// SPDX-License-Identifier: Apache-2.0
// Quantiles and their intervals from order statistics: no distribution is assumed, and the value is always one that
// was observed. Dependence between samples enters as an effective sample size that widens the ranks (Woodruff;
// Korn and Graubard). docs/statistics.md has the rule and its measured coverage. All spans here are sorted, ascending;
// an empty one gives 0.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/estimate.h"

namespace strobe::stats {

// x_(ceil(n p)), counted from 1: an observed value, conservative for a latency bound. Tools differ by one rank here.
double quantile(std::span<const double> sorted, double p);

// The usual median: the midpoint of the two middle values when n is even.
double median(std::span<const double> sorted);

// The same of values in any order.
double median_of(std::span<const double> values);

// Selects in place (values are reordered): for callers that keep a scratch buffer.
double select_median(std::span<double> scratch);

// `n_eff` <= sorted.size() is the number of independent samples the series is worth; with n_eff = n this is the
// classical binomial interval. A side the samples cannot bound at this confidence is unset; below 6 samples both are.
Estimate quantile_interval(std::span<const double> sorted, double p, double n_eff, Confidence c = {});

// Fewest independent samples that bound the quantile on both sides: 6 (p50), 36 (p90), 72 (p95), 368 (p99), 3688
// (p99.9).
std::size_t required_effective(double p, Confidence c = {});

// The same in requests, when each independent sample takes `tau` of them.
std::size_t requests_needed(double p, double tau, Confidence c = {});

}  // namespace strobe::stats
