// SPDX-License-Identifier: Apache-2.0
#include "stats/drift.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/distributions.h"
#include "stats/quantile.h"

namespace strobe::stats {
namespace {

constexpr double kSignificance = 0.01;
constexpr std::size_t kExactPairsBelow = 16;

// Probability of each number of inversions among `count` values in random order.
std::vector<double> inversions(std::size_t count) {
  std::vector<double> p{1};
  for (std::size_t k = 2; k <= count; ++k) {
    std::vector<double> next(p.size() + k - 1);
    for (std::size_t i = 0; i < p.size(); ++i)
      for (std::size_t j = 0; j < k; ++j) next[i + j] += p[i] / static_cast<double>(k);
    p = std::move(next);
  }
  return p;
}

// The largest number of inversions so rare that, with its mirror image, it has p < 0.01; -1: not even none is.
std::int64_t rare_inversions(std::size_t count) {
  double below = 0;
  std::int64_t rare = -1;
  for (const double p : inversions(count)) {
    below += p;
    if (2 * below >= kSignificance) break;
    ++rare;
  }
  return rare;
}

}  // namespace

std::int64_t mann_kendall(std::span<const double> values) {
  std::int64_t s = 0;
  for (std::size_t j = 1; j < values.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) s += (values[j] > values[i]) - (values[j] < values[i]);
  return s;
}

std::int64_t mann_kendall_critical(std::size_t count) {
  const auto n = static_cast<std::int64_t>(count);
  const std::int64_t pairs = n * (n - 1) / 2;
  if (count < kExactPairsBelow) return pairs - 2 * rare_inversions(count);
  const auto x = static_cast<double>(n);
  const double sd = std::sqrt(x * (x - 1) * (2 * x + 5) / 18);
  const auto s = static_cast<std::int64_t>(std::ceil(1 + sd * normal_quantile(1 - kSignificance / 2)));
  return s + (pairs - s) % 2;  // S has the parity of the number of pairs
}

double theil_sen(std::span<const double> x, std::span<const double> y) {
  std::vector<double> slopes;
  for (std::size_t j = 1; j < y.size(); ++j)
    for (std::size_t i = 0; i < j; ++i)
      if (x[j] != x[i]) slopes.push_back((y[j] - y[i]) / (x[j] - x[i]));
  return select_median(slopes);
}

Drift find_drift(std::span<const double> log_medians, std::span<const Range> batches, double margin) {
  Drift d;
  if (log_medians.size() < 2 || batches.size() != log_medians.size()) return d;
  std::vector<double> centre;
  for (const Range& b : batches) centre.push_back(static_cast<double>(b.begin + b.end) / 2);
  d.s = mann_kendall(log_medians);
  d.change = theil_sen(centre, log_medians) * (centre.back() - centre.front());
  d.trend = std::abs(d.s) >= mann_kendall_critical(log_medians.size());
  d.flagged = d.trend && std::abs(d.change) > std::max(kSmallestDrift, margin);
  return d;
}

}  // namespace strobe::stats
