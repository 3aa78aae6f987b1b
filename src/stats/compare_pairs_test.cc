// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stats/comparison.h"
#include "stats/synthetic/acceptance.h"
#include "stats/synthetic/pairs.h"

namespace strobe::stats {
namespace {

bool called_different(const RatioComparison& c) {
  return c.outcome == Outcome::faster || c.outcome == Outcome::slower;
}

TEST(ComparePairs, IntervalIsStudentsOnTheMeanOfLogRatios) {
  const std::vector<double> y{0.01, 0.02, 0.03, 0.01, 0.02, 0.03, 0.01, 0.03};  // mean 0.02, sd 0.0092582
  const RatioComparison c = compare_pairs(y);
  EXPECT_NEAR(c.ratio.value, std::exp(0.02), 1e-9);
  const double half = 2.364624 * 0.00925820 / std::sqrt(8.0);
  EXPECT_NEAR(std::log(*c.ratio.low), 0.02 - half, 1e-7);
  EXPECT_NEAR(std::log(*c.ratio.high), 0.02 + half, 1e-7);
  EXPECT_EQ(c.outcome, Outcome::slower);
  EXPECT_EQ(c.pairs, 8u);
  // 3.499 for the 99 % interval and 0.896 for four cases in five.
  EXPECT_NEAR(*c.detectable, std::expm1((3.499483 + 0.896030) * 0.00925820 / std::sqrt(8.0)), 1e-6);
}

TEST(ComparePairs, OfExactlyEqualSystemsAreEquivalentAndOfUnequalOnesDifferent) {
  EXPECT_EQ(compare_pairs(std::vector<double>(8, 0.0)).outcome, Outcome::equivalent);
  EXPECT_EQ(compare_pairs(std::vector<double>(8, -0.02)).outcome, Outcome::faster);
  EXPECT_EQ(*compare_pairs(std::vector<double>(8, 0.0)).detectable, 0);
}

TEST(ComparePairs, DecideNothingBelowEight) {
  for (std::size_t pairs = 1; pairs < kFewestPairs; ++pairs) {
    for (const double y : {0.0, 0.5}) {
      const RatioComparison c = compare_pairs(std::vector<double>(pairs, y));
      EXPECT_EQ(c.outcome, Outcome::cannot_tell) << pairs;
      EXPECT_EQ(c.needs, kFewestPairs);
      EXPECT_EQ(bounded(c.ratio), pairs >= 6) << pairs;
    }
  }
}

TEST(ComparePairs, SayHowManyWouldDecide) {
  std::vector<double> y;
  for (int i = 0; i < 8; ++i) y.push_back(0.012 + (i % 2 ? 0.02 : -0.02));
  const RatioComparison c = compare_pairs(y);
  EXPECT_EQ(c.outcome, Outcome::cannot_tell);
  ASSERT_TRUE(c.needs);
  // Where t is near the normal's 2.58: (2.58 * 0.0214 / 0.012) squared is 21.
  EXPECT_GT(*c.needs, 20u);
  EXPECT_LT(*c.needs, 30u);
}

TEST(ComparePairs, LeaveOutWhatIsNoNumber) {
  std::vector<double> y(8, 0.02);
  y.push_back(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(compare_pairs(y).pairs, 8u);
  EXPECT_EQ(compare_pairs({}).pairs, 0u);
}

TEST(ComparePairs, OfEqualSystemsAtMostTwoPercentAreCalledDifferentWhateverALaunchDraws) {
  for (const LaunchEffect& effect : kLaunchEffects) {
    for (const std::size_t pairs : {8u, 16u}) {
      Rate wrong{.what = "A/A called different, " + std::to_string(pairs) + " pairs: " + std::string(effect.name)};
      for (std::uint64_t seed = 1; seed <= 1000; ++seed)
        wrong.add(called_different(compare_pairs(simulate_pairs({.effect = effect, .pairs = pairs}, seed))));
      expect_between(wrong, 0, 2);
    }
  }
}

TEST(ComparePairs, FindAChangeOfOnePercentUnderAScatterOfThreePerMille) {
  for (const LaunchEffect& effect : {LaunchEffect{.name = "none"}, LaunchEffect{.name = "0.3 %", .scatter = 0.003}}) {
    Rate found{.what = "1 % slower found, 8 pairs: " + std::string(effect.name)};
    for (std::uint64_t seed = 1; seed <= 1000; ++seed)
      found.add(compare_pairs(simulate_pairs({.effect = effect, .change = 0.01}, 5000 + seed)).outcome ==
                Outcome::slower);
    expect_between(found, 95, 100);
  }
}

TEST(ComparePairs, FindTheDetectableDifferenceInFourOfFive) {
  Rate found{.what = "a difference of the stated size found, 12 pairs"};
  const LaunchEffect effect{.name = "1 %", .scatter = 0.01};
  // Of two launches: 1.414 %. From tables of t with 11 degrees of freedom.
  const double stated = std::expm1((3.105807 + 0.875530) * 0.0141421 / std::sqrt(12.0));
  for (std::uint64_t seed = 1; seed <= 1000; ++seed)
    found.add(called_different(
        compare_pairs(simulate_pairs({.effect = effect, .within = 0, .change = stated, .pairs = 12}, 9000 + seed),
                      {.margin = 1e-9})));
  expect_between(found, 75, 85);
}

TEST(ComparePairs, OfAFamilyAreWiderAndHeldToHolm) {
  const auto y = simulate_pairs({.effect = {.name = "", .scatter = 0.003}, .change = 0.01}, 3);
  const RatioComparison alone = compare_pairs(y);
  const auto family = compare_pair_family(std::vector<std::vector<double>>(5, y));
  EXPECT_LT(*family[0].ratio.low, *alone.ratio.low);
  EXPECT_GT(*family[0].detectable, *alone.detectable);
}

}  // namespace
}  // namespace strobe::stats
