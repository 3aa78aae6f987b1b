// SPDX-License-Identifier: Apache-2.0
#include "stats/signed_rank.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace strobe::stats {
namespace {

TEST(WalshAverages, AreAllMeansOfPairsInOrder) {
  EXPECT_EQ(walsh_averages(std::vector<double>{1, 3, 8}), (std::vector<double>{1, 2, 3, 4.5, 5.5, 8}));
  EXPECT_TRUE(walsh_averages({}).empty());
}

TEST(WalshAverages, OfManyDifferencesStayWithinMemory) {
  EXPECT_EQ(walsh_averages(std::vector<double>(100000, 1.0)).size(), 2000u * 2001 / 2);
}

TEST(SignedRank, CriticalValuesMatchTables) {
  // Wilcoxon's tables, two-sided 5 %: 6 -> 0, 8 -> 3, 10 -> 8, 15 -> 25, 19 -> 46, 25 -> 89 (normal: 88 or 89).
  EXPECT_EQ(signed_rank_critical(5, 0.025), -1);
  EXPECT_EQ(signed_rank_critical(6, 0.025), 0);
  EXPECT_EQ(signed_rank_critical(8, 0.025), 3);
  EXPECT_EQ(signed_rank_critical(10, 0.025), 8);
  EXPECT_EQ(signed_rank_critical(15, 0.025), 25);
  EXPECT_EQ(signed_rank_critical(19, 0.025), 46);
  EXPECT_NEAR(static_cast<double>(signed_rank_critical(25, 0.025)), 89, 1);
  EXPECT_EQ(signed_rank_critical(7, 0.005), -1);
  EXPECT_EQ(signed_rank_critical(8, 0.005), 0);
}

TEST(SignedRank, ProbabilitiesMatchTables) {
  EXPECT_DOUBLE_EQ(signed_rank_p(std::vector<double>{1, 2, 3, 4, 5, 6}), 2.0 / 64);
  EXPECT_DOUBLE_EQ(signed_rank_p(std::vector<double>{-1, 2, 3, 4, 5, 6}), 4.0 / 64);
  EXPECT_DOUBLE_EQ(signed_rank_p(std::vector<double>{1, -2, -3, -4, -5, -6}), 4.0 / 64);
  EXPECT_EQ(signed_rank_p(std::vector<double>(12, 0.0)), 1);
  EXPECT_EQ(signed_rank_p({}), 1);
}

TEST(SignedRank, TheIntervalExcludesZeroWhereTheProbabilityIsRarer) {
  for (const std::size_t count : {8u, 12u, 19u, 20u, 33u})
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      Random random(seed);
      std::vector<double> d(count);
      for (double& x : d) x = 0.6 + random.normal();
      for (const double level : {0.95, 0.99}) {
        const Estimate e = hodges_lehmann(d, {level});
        EXPECT_EQ(*e.low > 0 || *e.high < 0, signed_rank_p(d) <= 1 - level) << count << ' ' << seed;
      }
    }
}

TEST(HodgesLehmann, OfSixDifferencesHasTheirRangeAsInterval) {
  const Estimate e = hodges_lehmann(std::vector<double>{1, 2, 3, 4, 5, 6});
  EXPECT_DOUBLE_EQ(e.value, 3.5);
  EXPECT_DOUBLE_EQ(*e.low, 1);
  EXPECT_DOUBLE_EQ(*e.high, 6);
}

TEST(HodgesLehmann, OfTooFewDifferencesIsUnbounded) {
  EXPECT_FALSE(bounded(hodges_lehmann(std::vector<double>{1, 2, 3, 4, 5})));
  EXPECT_FALSE(bounded(hodges_lehmann(std::vector<double>{1, 2, 3, 4, 5, 6, 7}, {0.99})));
  EXPECT_FALSE(bounded(hodges_lehmann({})));
  EXPECT_EQ(hodges_lehmann({}).value, 0);
}

TEST(HodgesLehmann, KeepsZeroDifferences) {
  std::vector<double> d(20, 0.0);
  for (std::size_t i = 0; i < 5; ++i) d[i] = 1;
  const Estimate e = hodges_lehmann(d);
  EXPECT_EQ(e.value, 0);
  EXPECT_EQ(*e.low, 0) << "without the zeros all five are positive, and 0 would be excluded";
}

TEST(HodgesLehmann, IsNotMovedByAnOutlier) {
  std::vector<double> d;
  for (int i = 0; i < 31; ++i) d.push_back(0.01 * i);
  d.push_back(1e6);
  EXPECT_NEAR(hodges_lehmann(d).value, 0.155, 0.02);
}

TEST(HodgesLehmannAcceptance, CoversTheCentreOfNormalDifferences) {
  for (const std::size_t count : {12u, 32u}) {
    int covered = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
      Random random(seed);
      std::vector<double> d(count);
      for (double& x : d) x = 5 + random.normal();
      const Estimate e = hodges_lehmann(d);
      covered += *e.low <= 5 && 5 <= *e.high;
    }
    EXPECT_GE(covered, 930) << count;
    EXPECT_LE(covered, 975) << count;
  }
}

}  // namespace
}  // namespace strobe::stats
