// SPDX-License-Identifier: Apache-2.0
#include "stats/effective_size.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "stats/quantile.h"
#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

double tau_of(const Process& p, std::size_t n, std::uint64_t seed) {
  const auto x = simulate(p, n, seed);
  return effective_size(x, batches(n), median_of(x), 0.5).tau;
}

double typical_tau(const Process& p) {
  std::vector<double> taus;
  for (std::uint64_t seed = 0; seed < 40; ++seed) taus.push_back(tau_of(p, 20000, seed));
  return median_of(taus);
}

TEST(EffectiveSize, OfIndependentSamplesIsNearlyTheirNumber) {
  EXPECT_GE(typical_tau(kWhite), 1);
  EXPECT_LT(typical_tau(kWhite), 1.4);
}

TEST(EffectiveSize, ShrinksByTheIntegratedCorrelationOfTheIndicator) {
  // Normal AR(1): the indicator of the median has correlation (2/pi) asin(rho^k) at lag k; the sum over lags is 6.2 for
  // rho 0.8 and 29 for 0.95. The factor (t/z)^2 = 1.18 is on top, the median of a chi-square below its mean.
  EXPECT_NEAR(typical_tau(kAr80), 6.2 * 1.18, 1.5);
  EXPECT_NEAR(typical_tau(kAr95), 29 * 1.18, 8);
}

TEST(EffectiveSize, FollowsItsFormula) {
  // 16 batches of 100, alternately 40 and 60 of them low: s^2 = 0.01 * 16/15, t/z = 2.13145/1.95996.
  std::vector<double> x;
  for (std::size_t i = 0; i < 1600; ++i) x.push_back(i % 100 < (i / 100 % 2 == 0 ? 40u : 60u) ? 1 : 2);
  const EffectiveSize e = effective_size(x, batches(1600), 1, 0.5);
  EXPECT_NEAR(e.tau, 100 * (0.16 / 15) / 0.25 * 1.18264, 1e-3);
  EXPECT_EQ(e.n_eff, 317);
}

TEST(EffectiveSize, OfAConstantSeriesIsItsNumber) {
  const std::vector<double> x(100, 3.0);
  const EffectiveSize e = effective_size(x, batches(100), 3, 0.5);
  EXPECT_EQ(e.tau, 1);
  EXPECT_EQ(e.n_eff, 100);
}

TEST(EffectiveSize, OfTwoLongRegimesIsAboutTheNumberOfBatches) {
  std::vector<double> x(1600, 1.0);
  for (std::size_t i = 800; i < 1600; ++i) x[i] = 2;
  EXPECT_LT(effective_size(x, batches(1600), 1, 0.5).n_eff, 16);
}

TEST(EffectiveSize, WeighsUnequalBatchesByTheirSize) {
  // Independent samples: whatever the batches, tau must stay near 1. Unweighted shares would give 2 to 3.
  std::vector<Range> uneven;
  for (std::size_t begin = 0, i = 0; begin < 16000; ++i) {
    const std::size_t size = i % 8 == 7 ? 7440 : 80;
    uneven.push_back({begin, begin + size});
    begin += size;
  }
  std::vector<double> taus;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto x = simulate(kWhite, 16000, seed);
    taus.push_back(effective_size(x, uneven, median_of(x), 0.5).tau);
  }
  EXPECT_LT(median_of(taus), 1.4);
}

TEST(EffectiveSize, WithoutBatchesTrustsTheNumberOfSamples) {
  const std::vector<double> x{1, 2, 3};
  EXPECT_EQ(effective_size(x, {}, 2, 0.5).n_eff, 3);
  EXPECT_EQ(effective_size({}, {}, 0, 0.5).n_eff, 0);
}

TEST(EffectiveSize, NeverExceedsTheNumberOfSamplesNorFallsBelowOne) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto x = simulate(kSlowBistable, 100, seed);
    for (const double p : {0.5, 0.99, 0.999}) {
      std::vector<double> sorted = x;
      std::sort(sorted.begin(), sorted.end());
      const EffectiveSize e = effective_size(x, batches(100), quantile(sorted, p), p);
      EXPECT_LE(e.n_eff, 100);
      EXPECT_GE(e.n_eff, 1);
    }
  }
}

}  // namespace
}  // namespace strobe::stats
