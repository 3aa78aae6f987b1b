// SPDX-License-Identifier: Apache-2.0
#include "stats/drift.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

Drift drift_of(const std::vector<double>& x) {
  const auto parts = batches(x.size());
  return find_drift(log_medians(x, parts), parts);
}

TEST(MannKendall, CountsOrderedPairs) {
  const std::vector<double> up{1, 2, 3, 4};
  const std::vector<double> tied{1, 1, 2, 1};
  EXPECT_EQ(mann_kendall(up), 6);
  EXPECT_EQ(mann_kendall(tied), 1);
  EXPECT_EQ(mann_kendall({}), 0);
}

TEST(MannKendall, CriticalValueForSixteenIsSixty) {
  EXPECT_EQ(mann_kendall_critical(16), 60);
}

TEST(MannKendall, CriticalValuesMatchTheExactDistribution) {
  // Published tables of Kendall's S, two-sided 1 %.
  EXPECT_EQ(mann_kendall_critical(6), 15);
  EXPECT_EQ(mann_kendall_critical(7), 19);
  EXPECT_EQ(mann_kendall_critical(8), 22);
  EXPECT_EQ(mann_kendall_critical(10), 29);
}

TEST(MannKendall, CannotBeSignificantWithFiveValues) {
  EXPECT_GT(mann_kendall_critical(5), 10);
  EXPECT_GT(mann_kendall_critical(4), 6);
  EXPECT_GT(mann_kendall_critical(0), 0);
}

TEST(MannKendall, NormalCriticalValuesJoinTheExactOnes) {
  EXPECT_EQ(mann_kendall_critical(15), 53);
  EXPECT_EQ(mann_kendall_critical(17), 64);
}

TEST(TheilSen, IsNotMovedByAnOutlier) {
  const std::vector<double> x{0, 1, 2, 3, 4, 5, 6, 7};
  const std::vector<double> y{0, 2, 4, 6, 800, 10, 12, 14};
  EXPECT_DOUBLE_EQ(theil_sen(x, y), 2);
}

TEST(Drift, OfALinearChangeHasItsSize) {
  const Drift d = drift_of(with_drift(std::vector<double>(1600, 1.0), 0.04));
  EXPECT_NEAR(d.change, std::log(1.04) * 15 / 16, 2e-4);
  EXPECT_EQ(d.s, 120);
  EXPECT_TRUE(d.flagged);
}

TEST(Drift, BelowTheMarginIsATrendButNoDrift) {
  const Drift d = drift_of(with_drift(std::vector<double>(1600, 1.0), 0.003));
  EXPECT_TRUE(d.trend);
  EXPECT_FALSE(d.flagged);
}

TEST(Drift, WithoutASignificantTrendIsNone) {
  std::vector<double> z;  // rises by 3 %, but every second value is 10 % above the others
  for (int i = 0; i < 16; ++i) z.push_back(0.002 * i + (i % 2 == 0 ? 0.1 : 0.0));
  const Drift d = find_drift(z, even_parts(1600, 16));
  EXPECT_GT(d.change, 0.02);
  EXPECT_EQ(d.s, 48);
  EXPECT_FALSE(d.trend || d.flagged);
}

TEST(Drift, OfConstantEmptyOrTinySeriesIsNone) {
  EXPECT_FALSE(drift_of(std::vector<double>(100, 1.0)).flagged);
  EXPECT_FALSE(drift_of({}).flagged);
  EXPECT_FALSE(drift_of({1.0}).flagged);
  EXPECT_EQ(drift_of(std::vector<double>(100, 1.0)).change, 0);
}

TEST(Drift, UsesTheCentresOfUnequalBatches) {
  // A straight line stays straight, whatever the batches: 1 % over the centres of the first and last.
  std::vector<double> z;
  const std::vector<Range> uneven{{0, 10}, {10, 100}, {100, 110}, {110, 400}, {400, 410}, {410, 420}, {420, 1000}};
  for (const Range& r : uneven) z.push_back(1e-5 * static_cast<double>(r.begin + r.end) / 2);
  EXPECT_NEAR(find_drift(z, uneven).change, 1e-5 * (710 - 5), 1e-12);
}

TEST(DriftAcceptance, FindsFourPercentAndAccusesNoStationaryNoise) {
  for (const Process& p : {kWhite, kAr80}) {
    int found = 0;
    int accused = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const auto x = simulate(p, 10000, seed);
      accused += drift_of(x).flagged;
      found += drift_of(with_drift(x, 0.04)).flagged;
    }
    EXPECT_GE(found, 58) << p.name;
    EXPECT_LE(accused, 2) << p.name;
  }
}

}  // namespace
}  // namespace strobe::stats
