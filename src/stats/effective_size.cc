// SPDX-License-Identifier: Apache-2.0
#include "stats/effective_size.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/distributions.h"

namespace strobe::stats {
namespace {

std::size_t count_up_to(std::span<const double> values, double threshold) {
  std::size_t count = 0;
  for (const double x : values) count += x <= threshold ? 1 : 0;  // branch-free: this runs once per quantile and sample
  return count;
}

// Estimates m * Var(share of a batch of m), weighing unequal batches by their size; m s^2 when they are equal.
double share_variance(std::span<const double> values, std::span<const Range> batches, double threshold) {
  std::vector<double> below;
  double total = 0;
  double total_below = 0;
  for (const Range& b : batches) {
    below.push_back(static_cast<double>(count_up_to(values.subspan(b.begin, b.size()), threshold)));
    total += static_cast<double>(b.size());
    total_below += below.back();
  }
  double sum = 0;
  for (std::size_t j = 0; j < batches.size(); ++j) {
    const auto m = static_cast<double>(batches[j].size());
    const double deviation = below[j] / m - total_below / total;
    sum += m * deviation * deviation;
  }
  return sum / static_cast<double>(batches.size() - 1);
}

}  // namespace

EffectiveSize effective_size(std::span<const double> values, std::span<const Range> batches, double threshold, double p,
                             Confidence c) {
  const auto n = static_cast<double>(values.size());
  if (batches.size() < 2) return {.tau = 1, .n_eff = n};
  const double share = std::clamp(std::ceil(n * p * (1 - 1e-14)) / n, 1 / n, 1 - 1 / n);
  const double few_batches =
      student_t_quantile(1 - tail(c), static_cast<double>(batches.size() - 1)) / normal_quantile(1 - tail(c));
  const double inflation = share_variance(values, batches, threshold) / (share * (1 - share));
  const double tau = std::clamp(inflation * few_batches * few_batches, 1.0, n);
  return {.tau = tau, .n_eff = std::floor(n / tau)};
}

}  // namespace strobe::stats
