// SPDX-License-Identifier: Apache-2.0
#include "study/compare/comparisons.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "stats/quantile.h"

namespace strobe {
namespace {

// Latencies with a tail: log-normal, spread 20 %, whose p99 is `scale` times
// that of scale 1.
Case side_with_tail(const std::string& name, double scale, std::uint64_t seed, std::size_t n) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> latency(0, 0.2);
  std::vector<double> xs(n);
  for (double& x : xs) x = scale * latency(random);
  std::sort(xs.begin(), xs.end());
  const stats::Estimate e = stats::quantile_interval(xs, 0.99, static_cast<double>(n));
  Case c;
  c.name = name;
  c.metrics["latency"].percentiles = {{0.99, Estimate{e.value, e.low, e.high, true, {}}, std::nullopt}};
  return c;
}

struct PercentileRates {
  double covered = 0, different = 0;
};

PercentileRates percentile_rates(double ratio) {
  constexpr int kRuns = 1000;
  PercentileRates rates;
  for (int k = 0; k < kRuns; ++k) {
    const auto seed = static_cast<std::uint64_t>(2 * k);
    const auto c = compare_percentile(side_with_tail("a", 1, seed, 1600), side_with_tail("b", ratio, seed + 1, 1600),
                                      "latency", 0.99, 0.01, 32);
    rates.covered += (*c->ratio.low <= ratio && ratio <= *c->ratio.high) / double{kRuns};
    rates.different += (c->outcome == "faster" || c->outcome == "slower") / double{kRuns};
  }
  return rates;
}

TEST(ComparePercentile, CoversTheTrueRatioInAtLeastNinetyFivePercent) {
  EXPECT_GE(percentile_rates(1.0).covered, 0.95);
  EXPECT_GE(percentile_rates(1.3).covered, 0.95);
}

TEST(ComparePercentile, CallsEqualTailsDifferentInAtMostTwoPercent) {
  EXPECT_LE(percentile_rates(1.0).different, 0.02);
  EXPECT_GE(percentile_rates(1.3).different, 0.95);
}

TEST(ComparePercentile, IsNothingWhereASideCannotGiveIt) {
  const Case a = side_with_tail("a", 1, 1, 1600), few = side_with_tail("b", 1, 2, 100);
  EXPECT_TRUE(compare_percentile(a, a, "latency", 0.99, 0.01, 32));
  EXPECT_FALSE(compare_percentile(a, few, "latency", 0.99, 0.01, 32));
  EXPECT_FALSE(compare_percentile(a, a, "latency", 0.9, 0.01, 32));
  EXPECT_FALSE(compare_percentile(a, a, "device_time", 0.99, 0.01, 32));
}

}  // namespace
}  // namespace strobe
