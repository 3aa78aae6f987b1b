// SPDX-License-Identifier: Apache-2.0
#include "stats/mean.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

TEST(Mean, AndDeviationOfSmallSeriesAreExact) {
  const std::vector<double> x{2, 4, 4, 4, 5, 5, 7, 9};
  EXPECT_DOUBLE_EQ(mean(x), 5);
  EXPECT_NEAR(stddev(x), std::sqrt(32.0 / 7), 1e-12);
}

TEST(Mean, OfNothingIsZero) {
  EXPECT_EQ(mean({}), 0);
  EXPECT_EQ(stddev({}), 0);
  EXPECT_EQ(stddev(std::vector<double>{4}), 0);
}

TEST(Mean, IntervalIsStudentsForIndependentBatches) {
  // Batches of one sample each: batch means and samples give the same interval.
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8};
  const Estimate e = mean_interval(x, equal_batches(8, 8));
  const double half = 2.364624 * stddev(x) / std::sqrt(8);
  EXPECT_NEAR(*e.low, 4.5 - half, 1e-5);
  EXPECT_NEAR(*e.high, 4.5 + half, 1e-5);
}

TEST(Mean, IntervalIsNeverNarrowerThanForIndependentSamples) {
  std::vector<double> x(160);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 2 == 0 ? 1 : 3;  // batch means are all equal
  const Estimate e = mean_interval(x, batches(x.size()));
  EXPECT_GT(*e.high - *e.low, 2 * 1.9 * stddev(x) / std::sqrt(160));
}

TEST(Mean, IntervalWidensUnderDependence) {
  const auto x = simulate(kAr95, 10000, 1);
  const Estimate e = mean_interval(x, batches(x.size()));
  EXPECT_GT(*e.high - *e.low, 3 * 2 * 1.96 * stddev(x) / std::sqrt(10000));
}

TEST(Mean, OfUnequalBatchesWeighsThemBySize) {
  // Two batch sizes, the same level: the few small batches must not dominate the width.
  std::vector<double> x;
  std::vector<Range> uneven;
  for (std::size_t i = 0; i < 16; ++i) {
    const std::size_t begin = x.size();
    const std::size_t size = i % 2 == 0 ? 10 : 1000;
    const auto part = simulate(kWhite, size, 100 + i);
    x.insert(x.end(), part.begin(), part.end());
    uneven.push_back({begin, x.size()});
  }
  const Estimate e = mean_interval(x, uneven);
  EXPECT_LT(*e.high - *e.low, 2 * 2 * 2.13 * stddev(x) / std::sqrt(static_cast<double>(x.size())));
}

TEST(Mean, HasNoIntervalBelowSixSamples) {
  EXPECT_FALSE(bounded(mean_interval(std::vector<double>{1, 2, 3}, batches(3))));
}

TEST(Mean, OfAConstantSeriesHasAnIntervalOfNoWidth) {
  const std::vector<double> x(100, 2.5);
  const Estimate e = mean_interval(x, batches(100));
  EXPECT_EQ(*e.low, 2.5);
  EXPECT_EQ(*e.high, 2.5);
}

}  // namespace
}  // namespace strobe::stats
