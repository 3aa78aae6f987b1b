// SPDX-License-Identifier: Apache-2.0
// The few distributions the rules need. Thin on purpose: Boost.Math does the numerics, and only distributions.cc
// includes it, because its headers cost seconds of compile time. Probabilities are clamped into (0, 1), so that every
// result is finite.
#pragma once

#include <cstdint>

namespace strobe::stats {

double normal_cdf(double x);
double normal_quantile(double probability);

// `degrees` below 1 count as 1.
double student_t_quantile(double probability, double degrees);
double student_t_cdf(double x, double degrees);

double binomial_cdf(std::int64_t k, std::int64_t n, double p);

// Smallest k with binomial_cdf(k, n, p) >= probability.
std::int64_t binomial_quantile(double probability, std::int64_t n, double p);

// For a or b not positive the limit is returned: 0 for a <= 0, 1 for b <= 0.
double beta_quantile(double probability, double a, double b);

}  // namespace strobe::stats
