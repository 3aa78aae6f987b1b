// SPDX-License-Identifier: Apache-2.0
#include "stats/comparison.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "stats/quantile.h"
#include "stats/signed_rank.h"
#include "stats/synthetic/acceptance.h"
#include "stats/synthetic/rounds.h"
#include "testing/comparisons.h"

namespace strobe::stats {
namespace {

TEST(CompareRounds, OfEightIsWhatTheTablesSay) {
  // Wilcoxon's tables: two-sided 5 % of 8 differences leaves 3 of the pairwise means (1, 1.5, 2 | 2 ...) outside.
  const RatioComparison c = compare_rounds(times(0.01, {1, 2, 3, 4, 5, 6, 7, 8}));
  expect_ratio(c.ratio, std::exp(0.045), std::exp(0.02), std::exp(0.07));
  EXPECT_EQ(c.outcome, Outcome::slower);
  EXPECT_DOUBLE_EQ(c.p, 2.0 / 256);
  EXPECT_EQ(c.pairs, 8u);
  EXPECT_FALSE(c.needs);
}

TEST(CompareRounds, OfEightWithOneAgainstIsNotRareEnough) {
  const RatioComparison c = compare_rounds(times(0.01, {-1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_DOUBLE_EQ(c.p, 4.0 / 256);
  EXPECT_GT(*c.ratio.low, 1) << "95 % are not what a difference takes";
  EXPECT_EQ(c.outcome, Outcome::cannot_tell);
  EXPECT_TRUE(c.needs);
}

TEST(CompareRounds, BelowEightNothingIsCalledDifferent) {
  for (std::size_t count = 0; count < 8; ++count) {
    const RatioComparison c = compare_rounds(Values(count, 0.5));
    EXPECT_EQ(c.outcome, Outcome::cannot_tell) << count;
    EXPECT_EQ(c.pairs, count);
    EXPECT_EQ(bounded(c.ratio), count >= 6);
    EXPECT_EQ(c.needs, 8u) << "the fewest that bound the ratio at 99 %";
    expect_finite(c);
  }
  EXPECT_EQ(compare_rounds({}).ratio.value, 1);
}

TEST(CompareRounds, SixMayBeEquivalent) {
  EXPECT_EQ(fewest_rounds(1), 8u);
  EXPECT_EQ(compare_rounds(Values(fewest_rounds(1), 0.7)).outcome, Outcome::slower);
  EXPECT_EQ(compare_rounds(Values(fewest_rounds(1) - 1, 0.7)).outcome, Outcome::cannot_tell);
  const std::vector<Values> three(3, Values(fewest_rounds(3), 0.7));
  for (const RatioComparison& c : compare_family(three)) EXPECT_EQ(c.outcome, Outcome::slower);
  EXPECT_EQ(compare_rounds(Values(6, 0.001)).outcome, Outcome::equivalent);
  EXPECT_EQ(compare_rounds(Values(5, 0.001)).outcome, Outcome::cannot_tell);
}

TEST(CompareRounds, WithinTheMarginIsEquivalentEvenWhereItSurelyDiffers) {
  const RatioComparison c = compare_rounds(Values(32, 0.005));
  EXPECT_EQ(c.outcome, Outcome::equivalent);
  EXPECT_LT(c.p, 1e-5);
  EXPECT_EQ(compare_rounds(Values(32, 0.0)).outcome, Outcome::equivalent);
  EXPECT_EQ(compare_rounds(Values(32, 0.0)).p, 1);
}

TEST(CompareRounds, TheMarginIsOfTheRatio) {
  EXPECT_EQ(compare_rounds(Values(32, std::log(0.99005))).outcome, Outcome::equivalent);
  EXPECT_EQ(compare_rounds(Values(32, std::log(0.98995))).outcome, Outcome::faster);
  EXPECT_EQ(compare_rounds(Values(32, std::log(1.00995))).outcome, Outcome::equivalent);
  EXPECT_EQ(compare_rounds(Values(32, std::log(1.01005))).outcome, Outcome::slower);
  EXPECT_EQ(compare_rounds(Values(32, std::log(1.04)), {.margin = 0.05}).outcome, Outcome::equivalent);
}

// The rule, word by word, on many comparisons near its borders.
TEST(CompareRounds, FollowsTheTwoIntervals) {
  int seen[4] = {};
  for (std::uint64_t seed = 1; seed <= 500; ++seed)
    for (const std::size_t count : {8u, 15u, 32u}) {
      const Values y = normal(count, 0.003 * static_cast<double>(seed % 7) - 0.009, 0.012, seed);
      const RatioComparison c = compare_rounds(y);
      const Estimate shown = hodges_lehmann(y, {0.95});
      const Estimate strict = hodges_lehmann(y, {0.99});
      if (c.ratio.value != std::exp(shown.value)) continue;  // lopsided by chance
      expect_ratio(c.ratio, std::exp(shown.value), std::exp(*shown.low), std::exp(*shown.high));
      const Outcome expected = std::exp(*shown.low) > 0.99 && std::exp(*shown.high) < 1.01 ? Outcome::equivalent
                               : *strict.low > 0                                           ? Outcome::slower
                               : *strict.high < 0                                          ? Outcome::faster
                                                                                           : Outcome::cannot_tell;
      EXPECT_EQ(c.outcome, expected) << seed << ' ' << count;
      EXPECT_EQ(c.needs.has_value(), expected == Outcome::cannot_tell);
      ++seen[static_cast<int>(expected)];
    }
  for (const int n : seen) EXPECT_GT(n, 50);
}

TEST(CompareRounds, FollowsTheLevelAskedFor) {
  const Values y = times(0.01, {-1, 2, 3, 4, 5, 6, 7, 8});  // p = 0.0156
  EXPECT_EQ(compare_rounds(y, {.different = {0.98}}).outcome, Outcome::slower);
  EXPECT_EQ(compare_rounds(y, {.different = {0.985}}).outcome, Outcome::cannot_tell);
}

TEST(CompareRounds, SwappedInvertTheRatioAndTheWord) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Values y = normal(24, 0.004 * static_cast<double>(seed % 5), 0.02, seed);
    const RatioComparison ab = compare_rounds(y);
    const RatioComparison ba = compare_rounds(times(-1, y));
    EXPECT_NEAR(ab.ratio.value * ba.ratio.value, 1, 1e-12);
    EXPECT_NEAR(*ab.ratio.low * *ba.ratio.high, 1, 1e-12);
    EXPECT_DOUBLE_EQ(ab.p, ba.p);
    EXPECT_EQ(ab.outcome == Outcome::slower, ba.outcome == Outcome::faster);
  }
}

TEST(CompareRounds, FarFromSymmetricGoByTheSigns) {
  // Of 9 the binomial interval is the second from each end; a mean of 0.23 is far from a median of 0.014.
  const Values y{0.010, 0.011, 0.012, 0.013, 0.014, 0.015, 0.016, 1, 1.001};
  const RatioComparison c = compare_rounds(y);
  expect_ratio(c.ratio, std::exp(0.014), std::exp(0.011), std::exp(1));
  EXPECT_DOUBLE_EQ(c.p, 2.0 / 512);
  EXPECT_EQ(c.outcome, Outcome::slower);
}

TEST(CompareRounds, SignsThatAreSplitTellNothing) {
  const Values y{-0.001, -0.001, 0, 0, 0.001, 0.001, 0.002, 0.003, 6, 7};  // 6 above 0, 2 below
  const RatioComparison c = compare_rounds(y);
  EXPECT_NEAR(c.ratio.value, 1.001, 1e-6);
  EXPECT_NEAR(c.p, 2 * (1 + 10 + 45 + 120 + 210) / 1024.0, 1e-12);  // 0 counts against both sides
  EXPECT_EQ(c.outcome, Outcome::cannot_tell);
}

TEST(CompareRounds, HalfTheInterquartileRangeIsStillSymmetric) {
  // Quartiles 0 and 4, median 2: a mean up to 4 belongs to signed ranks. Of 7 their interval reaches the third largest
  // pairwise mean, that of the sign test the largest value.
  EXPECT_NEAR(std::log(*compare_rounds(Values{0, 0, 1, 2, 3, 4, 17.9}).ratio.high), (3 + 17.9) / 2, 1e-9);
  EXPECT_NEAR(std::log(*compare_rounds(Values{0, 0, 1, 2, 3, 4, 18.1}).ratio.high), 18.1, 1e-9);
  // The same of 8: the fourth largest of the pairwise means, or the largest value.
  EXPECT_NEAR(std::log(*compare_rounds(Values{0, 0, 1, 2, 2, 3, 4, 19.9}).ratio.high), (2 + 19.9) / 2, 1e-9);
  EXPECT_NEAR(std::log(*compare_rounds(Values{0, 0, 1, 2, 2, 3, 4, 20.1}).ratio.high), 20.1, 1e-9);
}

// Rounds until a side that is `reach` away from the estimate is `allowed` away, when it shrinks with their square root.
double rounds_until(std::size_t have, double reach, double allowed) {
  return allowed > 0 ? std::ceil(static_cast<double>(have) * (reach / allowed) * (reach / allowed)) : kInfinity;
}

TEST(CompareRounds, SayHowManyWouldResolveIt) {
  for (int step = 0; step < 40; ++step) {
    const double centre = 0.00197 * step;
    Values y;
    for (int i = -16; i <= 16; ++i) y.push_back(centre + 0.02 * i);
    const Estimate shown = hodges_lehmann(y);
    const Estimate strict = hodges_lehmann(y, {0.99});
    const double equivalent = std::max(rounds_until(33, *shown.high - centre, std::log(1.01) - centre),
                                       rounds_until(33, centre - *shown.low, centre - std::log(0.99)));
    const double unequal = rounds_until(33, centre - *strict.low, centre);
    const double fewest = std::min(equivalent, unequal);
    EXPECT_EQ(static_cast<double>(compare_rounds(y).needs.value_or(0)), fewest <= 100000 ? fewest : 0) << centre;
  }
}

TEST(CompareRounds, NeedAtLeastAnotherPairOfRounds) {
  std::size_t nearest = 1000;
  for (int i = 0; i < 400; ++i) {
    const RatioComparison c = compare_rounds(normal(20, 0.005, 0.008, static_cast<std::uint64_t>(i)));
    if (c.needs) nearest = std::min<std::size_t>(nearest, *c.needs);
  }
  EXPECT_EQ(nearest, 22u);
}

TEST(CompareRounds, NeedNothingThatNobodyWaitsFor) {
  Values y;
  for (int i = -16; i <= 16; ++i) y.push_back(0.5 * i);
  const RatioComparison c = compare_rounds(y);
  EXPECT_EQ(c.outcome, Outcome::cannot_tell);
  EXPECT_FALSE(c.needs);
}

TEST(CompareRounds, AreFiniteWhateverComes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const RatioComparison mixed = compare_rounds(Values{nan, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, nan, 0.02});
  EXPECT_EQ(mixed.pairs, 8u) << "what is not a number is no round";
  EXPECT_EQ(mixed.outcome, Outcome::slower);
  for (const Values& y : {Values(12, kInfinity), Values(12, -kInfinity), Values(12, 1e308), Values(12, nan),
                          Values{kInfinity, -kInfinity, 0, 1e300, -1e300, 1, 2, 3}, Values(3000, 0.02)})
    expect_finite(compare_rounds(y));
  EXPECT_EQ(compare_rounds(Values(12, kInfinity)).outcome, Outcome::slower);
  EXPECT_EQ(compare_rounds(Values(3000, 0.02)).outcome, Outcome::slower);
}

TEST(CompareFamily, OfOneIsTheComparison) {
  const Values y = normal(32, 0.01, 0.01, 1);
  const RatioComparison alone = compare_rounds(y);
  const RatioComparison family = compare_family({&y, 1}).front();
  EXPECT_EQ(alone.outcome, family.outcome);
  EXPECT_EQ(alone.ratio.low, family.ratio.low);
  EXPECT_EQ(alone.p, family.p);
  EXPECT_TRUE(compare_family({}).empty());
}

TEST(CompareFamily, TakesBackWhatIsNotRareAmongSeveral) {
  const Values sure = Values(32, 0.05);
  const Values rare = times(0.01, {1, 2, 3, 4, 5, 6, 7, 8});  // p = 0.0078: below 1 %, not below 0.5 %
  const Values same = normal(32, 0, 0.001, 1);
  ASSERT_EQ(compare_rounds(rare).outcome, Outcome::slower);
  const auto taken = compare_family(std::vector{rare, same});
  EXPECT_EQ(taken[0].outcome, Outcome::cannot_tell);
  EXPECT_EQ(taken[1].outcome, Outcome::equivalent);
  const auto kept = compare_family(std::vector{rare, sure});
  EXPECT_EQ(kept[0].outcome, Outcome::slower) << "after the sure one has been settled, 1 % are left";
  EXPECT_EQ(kept[1].outcome, Outcome::slower);
}

TEST(CompareFamily, WidensTheIntervals) {
  std::vector<Values> family;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) family.push_back(normal(32, 0, 0.01, seed));
  const auto c = compare_family(family);
  for (std::size_t i = 0; i < family.size(); ++i) {
    const Estimate wide = hodges_lehmann(family[i], {0.99});
    expect_ratio(c[i].ratio, std::exp(wide.value), std::exp(*wide.low), std::exp(*wide.high));
  }
}

TEST(CompareFamily, IsEquivalentOnlyByTheWiderInterval) {
  int taken = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Values y = normal(32, 0.004, 0.015, seed);
    const auto c = compare_family(std::vector<Values>(10, y)).front();
    EXPECT_EQ(c.outcome == Outcome::equivalent, *c.ratio.low > 0.99 && *c.ratio.high < 1.01);
    taken += compare_rounds(y).outcome == Outcome::equivalent && c.outcome != Outcome::equivalent;
  }
  EXPECT_GT(taken, 20);
}

TEST(CompareFamily, NeedsMoreRoundsThanOneAlone) {
  EXPECT_EQ(compare_family(std::vector<Values>(20, Values(4, 0.1))).front().needs, 12u) << "2^-12 < 0.01 / 40";
  const Values y = normal(32, 0.01, 0.04, 3);
  const auto alone = compare_rounds(y);
  const auto many = compare_family(std::vector<Values>(20, y)).front();
  ASSERT_TRUE(alone.needs && many.needs);
  EXPECT_GT(*many.needs, *alone.needs);
}

// A small part of comparison_rates_test.cc, which takes all processes and more comparisons.
TEST(ComparisonAcceptance, RarelyAccusesEqualSystemsAndFindsOnePercent) {
  struct Cell {
    Process noise;
    double drift;
    double found;
  };
  for (const auto& [noise, drift, found_at_least] :
       {Cell{kWhite, 0, 90}, Cell{kAr80, 0, 75}, Cell{kWhite, 0.02, 90}, Cell{kSlowBistable, 0, 90}}) {
    Rate wrong{.what = std::string("A/A called different: ") + std::string(noise.name)};
    Rate found{.what = std::string("1 % slower found: ") + std::string(noise.name)};
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
      wrong.add(different(compare_rounds(simulate_rounds({.noise = noise, .drift = drift}, seed))));
      found.add(compare_rounds(simulate_rounds({.noise = noise, .change = 0.01, .drift = drift}, seed)).outcome ==
                Outcome::slower);
    }
    expect_at_most(wrong, 1);
    expect_power(found, found_at_least);
  }
}

}  // namespace
}  // namespace strobe::stats
