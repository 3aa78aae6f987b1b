// SPDX-License-Identifier: Apache-2.0
#include "stats/tick.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "stats/quantile.h"

namespace strobe::stats {
namespace {

constexpr std::size_t kFewestDistinct = 3;
constexpr int kMostDecimals = 9;
constexpr double kLargestWhole = 1e15;  // beyond it a double has no decimals to look at

// But for the rounding of a decimal number to binary and of its product with a power of ten.
bool whole(double x) {
  return std::abs(x - std::round(x)) <= 8 * std::numeric_limits<double>::epsilon() * std::abs(x);
}

// The common divisor of values that have at most `kMostDecimals` decimals; 0 if they have more.
double decimal_divisor(std::span<const double> distinct) {
  double scale = 1;
  for (int decimals = 0; decimals <= kMostDecimals; ++decimals, scale *= 10) {
    if (std::abs(distinct.front()) * scale > kLargestWhole || std::abs(distinct.back()) * scale > kLargestWhole)
      return 0;
    if (!std::all_of(distinct.begin(), distinct.end(), [scale](double x) { return whole(x * scale); })) continue;
    std::int64_t divisor = 0;
    for (const double x : distinct) {
      divisor = std::gcd(divisor, std::llround(x * scale));
      if (divisor == 1) break;
    }
    return static_cast<double>(divisor) / scale;
  }
  return 0;
}

double median_gap(std::span<const double> distinct) {
  std::vector<double> gaps(distinct.size());
  std::adjacent_difference(distinct.begin(), distinct.end(), gaps.begin());
  return select_median(std::span(gaps).subspan(1));
}

}  // namespace

double guess_tick(std::span<const double> sorted) {
  std::vector<double> distinct;
  std::unique_copy(sorted.begin(), sorted.end(), std::back_inserter(distinct));
  if (distinct.size() < kFewestDistinct) return 0;
  const double divisor = decimal_divisor(distinct);
  if (distinct.size() * 10 >= sorted.size()) return divisor;
  return std::max(divisor, median_gap(distinct));
}

}  // namespace strobe::stats
