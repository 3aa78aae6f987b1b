// SPDX-License-Identifier: Apache-2.0
// The difference of two means whose sides need not vary alike: Welch's t with Satterthwaite's degrees of freedom. Two
// values a side at least.
#pragma once

#include <span>

#include "stats/estimate.h"

namespace strobe::stats {

struct Welch {
  double difference = 0;  // mean of b less mean of a
  double error = 0;       // its standard error
  double degrees = 1;
  double pairs = 2;  // values of the side that has fewer
};

Welch welch(std::span<const double> a, std::span<const double> b);

// Without any spread the interval is the difference itself.
Estimate interval(const Welch& w, Confidence c = {});

// Of no difference, two-sided.
double p_value(const Welch& w);

// The same difference, if there were this many pairs.
Welch with_pairs(const Welch& w, double pairs);

}  // namespace strobe::stats
