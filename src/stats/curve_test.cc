// SPDX-License-Identifier: Apache-2.0
#include "stats/curve.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

TEST(Curve, OfAShortSeriesIsTheSeries) {
  const std::vector<double> x{3, 1, 2};
  const std::vector<double> at{0.0, 0.5, 0.6};
  const auto c = curve(Series{.values = x, .at_seconds = at});
  ASSERT_EQ(c.size(), 3u);
  EXPECT_EQ(c[1].t, 0.5);
  EXPECT_EQ(c[1].median, 1);
  EXPECT_EQ(c[1].n, 1u);
}

TEST(Curve, OfNothingIsEmpty) {
  EXPECT_TRUE(curve(Series{}).empty());
}

TEST(Curve, HasEqualTimeBucketsAndSkipsEmptyOnes) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6};
  const std::vector<double> at{0, 1, 2, 8, 9, 10};
  const auto c = curve(Series{.values = x, .at_seconds = at}, 5);
  ASSERT_EQ(c.size(), 3u);  // [0,2), [2,4), and the last: nothing between 4 and 8
  EXPECT_EQ(c[0].n, 2u);
  EXPECT_EQ(c[1].n, 1u);
  EXPECT_EQ(c[2].n, 3u);
  EXPECT_EQ(c[2].low, 4);
  EXPECT_EQ(c[2].median, 5);
  EXPECT_EQ(c[2].high, 6);
}

TEST(Curve, LosesNoSampleAndNoSpike) {
  const auto x = simulate(kOutliers, 50000, 1);
  std::vector<double> at;
  double t = 0;
  for (const double v : x) at.push_back(t += v);
  const auto c = curve(Series{.values = x, .at_seconds = at});
  EXPECT_LE(c.size(), kMostBuckets);
  std::size_t n = 0;
  double highest = 0;
  for (const Bucket& b : c) {
    n += b.n;
    highest = std::max(highest, b.high);
  }
  EXPECT_EQ(n, x.size());
  EXPECT_EQ(highest, *std::max_element(x.begin(), x.end()));
}

TEST(Curve, WhoseTimesAllAgreeIsCutByCount) {
  const std::vector<double> x(100, 1.0);
  const std::vector<double> at(100, 7.0);
  EXPECT_EQ(curve(Series{.values = x, .at_seconds = at}, 10).size(), 10u);
}

}  // namespace
}  // namespace strobe::stats
