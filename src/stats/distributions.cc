// SPDX-License-Identifier: Apache-2.0
#include "stats/distributions.h"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace strobe::stats {
namespace {

namespace bm = boost::math;
namespace bp = boost::math::policies;

// Arguments are clamped before each call, so an error handler would only hide a mistake in the clamping.
using Policy = bp::policy<bp::promote_double<false>>;

double probability_inside(double p) {
  return std::clamp(p, 1e-300, 1 - 1e-16);
}

}  // namespace

double normal_cdf(double x) {
  return bm::cdf(bm::normal_distribution<double, Policy>(), std::clamp(x, -1e3, 1e3));
}

double normal_quantile(double probability) {
  return bm::quantile(bm::normal_distribution<double, Policy>(), probability_inside(probability));
}

double student_t_quantile(double probability, double degrees) {
  const bm::students_t_distribution<double, Policy> t(std::max(degrees, 1.0));
  return bm::quantile(t, std::clamp(probability, 1e-12, 1 - 1e-12));
}

double student_t_cdf(double x, double degrees) {
  const bm::students_t_distribution<double, Policy> t(std::max(degrees, 1.0));
  return bm::cdf(t, std::clamp(x, -1e12, 1e12));
}

double binomial_cdf(std::int64_t k, std::int64_t n, double p) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  const bm::binomial_distribution<double, Policy> b(static_cast<double>(n), std::clamp(p, 0.0, 1.0));
  return bm::cdf(b, static_cast<double>(k));
}

std::int64_t binomial_quantile(double probability, std::int64_t n, double p) {
  if (n <= 0) return 0;
  const double mean = static_cast<double>(n) * p;
  const double guess = mean + normal_quantile(probability) * std::sqrt(mean * (1 - p));
  // Bracket the answer around the normal guess, doubling the step, then bisect: a handful of CDFs for any n.
  std::int64_t high = std::clamp<std::int64_t>(std::llround(guess), 0, n);
  std::int64_t low = high;
  for (std::int64_t step = 1; high < n && binomial_cdf(high, n, p) < probability; step *= 2)
    high = std::min(n, high + step);
  for (std::int64_t step = 1; low >= 0 && binomial_cdf(low, n, p) >= probability; step *= 2)
    low = std::max<std::int64_t>(-1, low - step);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (binomial_cdf(middle, n, p) >= probability ? high : low) = middle;
  }
  return high;
}

double beta_quantile(double probability, double a, double b) {
  if (!(a > 0)) return 0;
  if (!(b > 0)) return 1;
  return bm::quantile(bm::beta_distribution<double, Policy>(a, b), probability_inside(probability));
}

}  // namespace strobe::stats
