// SPDX-License-Identifier: Apache-2.0
#include "stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "stats/distributions.h"

namespace strobe::stats {
namespace {

// Beyond this the binomial ranks and their normal approximation agree to a rank in ten thousand.
constexpr double kNormalRanks = 1e5;
constexpr std::size_t kFewestForQuantile = 6;

struct Ranks {
  double low;   // below 1: unbounded
  double high;  // above n: unbounded
};

// 0.07 * 100 is 7.000000000000001 in binary: without the slack its ceiling would be one rank too high.
double ceil_product(double n, double p) {
  return std::ceil(n * p * (1 - 1e-14));
}

Ranks normal_ranks(double n, double p, double n_eff, double z) {
  const double half = z * std::sqrt(n * p * (1 - p) * n / n_eff);
  return {std::floor(n * p - half), std::ceil(n * p + half)};
}

Ranks binomial_ranks(double n, double p, double n_eff, Confidence c) {
  const auto ne = static_cast<std::int64_t>(n_eff);
  const auto l = static_cast<double>(binomial_quantile(tail(c), ne, p));
  const auto u = static_cast<double>(1 + binomial_quantile(1 - tail(c), ne, p));
  const double scale = n / static_cast<double>(ne);
  return {std::floor(l * scale), u > static_cast<double>(ne) ? n + 1 : ceil_product(u, scale)};
}

}  // namespace

double quantile(std::span<const double> sorted, double p) {
  if (sorted.empty()) return 0;
  const auto n = static_cast<double>(sorted.size());
  const double rank = std::clamp(ceil_product(n, p), 1.0, n);
  return sorted[static_cast<std::size_t>(rank) - 1];
}

double median(std::span<const double> sorted) {
  if (sorted.empty()) return 0;
  const std::size_t half = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[half];
  return sorted[half - 1] + (sorted[half] - sorted[half - 1]) / 2;
}

double select_median(std::span<double> scratch) {
  if (scratch.empty()) return 0;
  const auto middle = scratch.begin() + static_cast<std::ptrdiff_t>(scratch.size() / 2);
  std::nth_element(scratch.begin(), middle, scratch.end());
  if (scratch.size() % 2 == 1) return *middle;
  const double below = *std::max_element(scratch.begin(), middle);
  return below + (*middle - below) / 2;
}

double median_of(std::span<const double> values) {
  std::vector<double> scratch(values.begin(), values.end());
  return select_median(scratch);
}

Estimate quantile_interval(std::span<const double> sorted, double p, double n_eff, Confidence c) {
  Estimate e{.value = p == 0.5 ? median(sorted) : quantile(sorted, p)};
  if (sorted.size() < kFewestForQuantile || !(n_eff >= 1)) return e;
  const auto n = static_cast<double>(sorted.size());
  const double ne = std::floor(std::min(n_eff, n));
  const Ranks r =
      ne > kNormalRanks ? normal_ranks(n, p, ne, normal_quantile(1 - tail(c))) : binomial_ranks(n, p, ne, c);
  if (r.low >= 1) e.low = std::min(e.value, sorted[static_cast<std::size_t>(r.low) - 1]);
  if (r.high <= n) e.high = std::max(e.value, sorted[static_cast<std::size_t>(r.high) - 1]);
  return e;
}

std::size_t required_effective(double p, Confidence c) {
  // Upper side: p^n <= alpha/2, or the maximum itself may lie below the quantile; lower side by symmetry.
  const double outer = std::clamp(std::max(p, 1 - p), 0.5, 1 - 1e-12);
  return static_cast<std::size_t>(std::ceil(std::log(tail(c)) / std::log(outer)));
}

std::size_t requests_needed(double p, double tau, Confidence c) {
  return static_cast<std::size_t>(std::ceil(static_cast<double>(required_effective(p, c)) * std::max(tau, 1.0)));
}

}  // namespace strobe::stats
