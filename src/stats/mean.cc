// SPDX-License-Identifier: Apache-2.0
#include "stats/mean.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/distributions.h"

namespace strobe::stats {
namespace {

constexpr std::size_t kFewestForMean = 6;

double square_deviations(std::span<const double> values, double centre) {
  double sum = 0;
  for (const double x : values) sum += (x - centre) * (x - centre);
  return sum;
}

// Variance of the mean as the batches see it; unequal batches are weighed by their size.
double batch_variance(std::span<const double> values, std::span<const Range> batches) {
  double total = 0;
  double weighted = 0;
  for (const Range& b : batches) {
    const auto m = static_cast<double>(b.size());
    total += m;
    weighted += m * mean(values.subspan(b.begin, b.size()));
  }
  double sum = 0;
  for (const Range& b : batches) {
    const double deviation = mean(values.subspan(b.begin, b.size())) - weighted / total;
    sum += static_cast<double>(b.size()) * deviation * deviation;
  }
  return sum / static_cast<double>(batches.size() - 1) / total;
}

double t_half_width(double variance_of_mean, std::size_t groups, Confidence c) {
  return student_t_quantile(1 - tail(c), static_cast<double>(groups - 1)) * std::sqrt(variance_of_mean);
}

}  // namespace

double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double stddev(std::span<const double> values) {
  if (values.size() < 2) return 0;
  return std::sqrt(square_deviations(values, mean(values)) / static_cast<double>(values.size() - 1));
}

Estimate mean_interval(std::span<const double> values, std::span<const Range> batches, Confidence c) {
  Estimate e{.value = mean(values)};
  const std::size_t n = values.size();
  if (n < kFewestForMean || batches.size() < 2) return e;
  const double independent = square_deviations(values, e.value) / static_cast<double>(n - 1) / static_cast<double>(n);
  const double half =
      std::max(t_half_width(independent, n, c), t_half_width(batch_variance(values, batches), batches.size(), c));
  e.low = e.value - half;
  e.high = e.value + half;
  return e;
}

}  // namespace strobe::stats
