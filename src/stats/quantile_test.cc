// SPDX-License-Identifier: Apache-2.0
#include "stats/quantile.h"

#include <numeric>

#include <gtest/gtest.h>

namespace strobe::stats {
namespace {

std::vector<double> one_to(std::size_t n) {
  std::vector<double> x(n);
  std::iota(x.begin(), x.end(), 1.0);
  return x;
}

TEST(Quantile, IsTheObservedValueOfRankCeilNp) {
  const auto x = one_to(100);
  EXPECT_EQ(quantile(x, 0.9), 90);
  EXPECT_EQ(quantile(x, 0.901), 91);
  EXPECT_EQ(quantile(x, 0.07), 7) << "0.07 * 100 is above 7 in binary";
  EXPECT_EQ(quantile(x, 0), 1);
  EXPECT_EQ(quantile(x, 1), 100);
}

TEST(Quantile, OfNothingIsZeroAndOfOneSampleIsThatSample) {
  EXPECT_EQ(quantile({}, 0.5), 0);
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median_of({}), 0);
  EXPECT_EQ(quantile(one_to(1), 0.99), 1);
  EXPECT_EQ(median(one_to(1)), 1);
}

TEST(Quantile, MedianIsTheMidpointForEvenCounts) {
  EXPECT_EQ(median(one_to(4)), 2.5);
  EXPECT_EQ(median(one_to(5)), 3);
}

TEST(Quantile, MedianOfUnsortedValuesNeedsNoSorting) {
  const std::vector<double> odd{5, 1, 4, 2, 3};
  const std::vector<double> even{4, 1, 3, 2};
  EXPECT_EQ(median_of(odd), 3);
  EXPECT_EQ(median_of(even), 2.5);
  EXPECT_EQ(odd.front(), 5) << "the values were not reordered";
}

TEST(QuantileInterval, HasNoSideBelowSixSamples) {
  const Estimate e = quantile_interval(one_to(5), 0.5, 5);
  EXPECT_EQ(e.value, 3);
  EXPECT_FALSE(e.low || e.high);
  const Estimate lax = quantile_interval(one_to(5), 0.5, 5, {0.8});
  EXPECT_FALSE(lax.low || lax.high) << "whatever the confidence";
}

TEST(QuantileInterval, OfTheMedianOfSixSamplesIsTheirRange) {
  const Estimate e = quantile_interval(one_to(6), 0.5, 6);
  EXPECT_EQ(*e.low, 1);
  EXPECT_EQ(*e.high, 6);
}

TEST(QuantileInterval, OfTheMedianOfOneHundredHasTheClassicalRanks) {
  const Estimate e = quantile_interval(one_to(100), 0.5, 100);
  EXPECT_EQ(e.value, 50.5);
  EXPECT_EQ(*e.low, 40);
  EXPECT_EQ(*e.high, 61);
}

TEST(QuantileInterval, SpreadsTheRanksOfTheEffectiveSizeOverAllSamples) {
  const Estimate e = quantile_interval(one_to(1000), 0.5, 100);
  EXPECT_EQ(*e.low, 400);
  EXPECT_EQ(*e.high, 610);
}

TEST(QuantileInterval, LeavesTheUpperSideOpenWhenTheTailIsNotReached) {
  const Estimate e = quantile_interval(one_to(300), 0.99, 300);
  EXPECT_TRUE(e.low);
  EXPECT_FALSE(e.high);
}

TEST(QuantileInterval, IsBoundedExactlyFromTheRequiredNumberOn) {
  for (const double p : {0.5, 0.9, 0.95, 0.99, 0.999}) {
    const std::size_t n = required_effective(p);
    const auto x = one_to(10000);
    EXPECT_TRUE(bounded(quantile_interval(x, p, static_cast<double>(n)))) << p;
    EXPECT_FALSE(bounded(quantile_interval(x, p, static_cast<double>(n - 1)))) << p;
  }
}

TEST(QuantileInterval, NormalRanksJoinTheBinomialOnes) {
  const auto x = one_to(200000);
  const Estimate binomial = quantile_interval(x, 0.9, 1e5);
  const Estimate normal = quantile_interval(x, 0.9, 1e5 + 1);
  EXPECT_NEAR(*binomial.low, *normal.low, 5);
  EXPECT_NEAR(*binomial.high, *normal.high, 5);
}

TEST(QuantileInterval, ContainsItsValueWhenSamplesAreTied) {
  std::vector<double> x(50, 7.0);
  const Estimate e = quantile_interval(x, 0.5, 50);
  EXPECT_EQ(*e.low, 7);
  EXPECT_EQ(*e.high, 7);
}

TEST(QuantileInterval, WithoutAnyEffectiveSampleIsOpen) {
  const Estimate e = quantile_interval(one_to(100), 0.5, 0.5);
  EXPECT_FALSE(e.low || e.high);
}

TEST(RequiredEffective, MatchesTheClosedForm) {
  EXPECT_EQ(required_effective(0.5), 6u);
  EXPECT_EQ(required_effective(0.9), 36u);
  EXPECT_EQ(required_effective(0.95), 72u);
  EXPECT_EQ(required_effective(0.99), 368u);
  EXPECT_EQ(required_effective(0.999), 3688u);
  EXPECT_EQ(required_effective(0.01), 368u) << "a low quantile needs as many";
}

TEST(RequiredEffective, InRequestsIsMultipliedByTheirDependence) {
  EXPECT_EQ(requests_needed(0.99, 1), 368u);
  EXPECT_EQ(requests_needed(0.99, 2.5), 920u);
  EXPECT_EQ(requests_needed(0.99, 0.1), 368u);
}

}  // namespace
}  // namespace strobe::stats
