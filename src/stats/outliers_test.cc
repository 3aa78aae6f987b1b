// SPDX-License-Identifier: Apache-2.0
#include "stats/outliers.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/quantile.h"
#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

// The rule written without any cleverness, one sorted window per sample.
std::vector<std::uint32_t> by_definition(const std::vector<double>& x, double tick) {
  std::vector<std::uint32_t> out;
  const std::size_t width = std::min(x.size(), kOutlierWindow);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t begin = std::min(i > width / 2 ? i - width / 2 : 0, x.size() - width);
    std::vector<double> w(x.begin() + static_cast<std::ptrdiff_t>(begin),
                          x.begin() + static_cast<std::ptrdiff_t>(begin + width));
    std::sort(w.begin(), w.end());
    const double band = std::max(3 * (quantile(w, 0.9) - quantile(w, 0.1)), 4 * tick);
    if (std::abs(x[i] - median(w)) > band) out.push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

TEST(Outliers, SlidingWindowFollowsTheDefinition) {
  for (const Process& p : processes())
    for (const std::size_t n : {1u, 2u, 200u, 201u, 202u, 1500u}) {
      const auto x = simulate(p, n, n);
      EXPECT_EQ(find_outliers(x).index, by_definition(x, 0)) << p.name << ' ' << n;
      const auto coarse = with_tick(x, 0.01);
      EXPECT_EQ(find_outliers(coarse, 0.01).index, by_definition(coarse, 0.01)) << p.name << ' ' << n;
    }
}

TEST(Outliers, AreReportedWithTheirShareOfSamplesAndTime) {
  std::vector<double> x(1000, 1.0);
  x[10] = 51;
  x[700] = 101;
  const Outliers o = find_outliers(x, 0.001);
  EXPECT_EQ(o.index, (std::vector<std::uint32_t>{10, 700}));
  EXPECT_DOUBLE_EQ(o.share, 0.002);
  EXPECT_NEAR(o.time_share, 152.0 / 1150, 1e-12);
  EXPECT_EQ(*o.largest, 700u);
  EXPECT_EQ(o.early, 1u);
}

TEST(Outliers, WithinFourTicksAreNone) {
  std::vector<double> x(1000, 100.0);
  x[500] = 104;
  EXPECT_TRUE(find_outliers(x, 1).index.empty());
  x[500] = 105;
  EXPECT_EQ(find_outliers(x, 1).index.size(), 1u);
}

TEST(Outliers, OnTheFastSideAreLabelledToo) {
  std::vector<double> x(1000, 100.0);
  x[500] = 50;
  EXPECT_EQ(find_outliers(x, 1).index.size(), 1u);
}

TEST(Outliers, AChangeOfLevelIsNotAnOutlier) {
  const auto x = with_late_step(simulate(kWhite, 4000, 1), 0.5, 2000);
  EXPECT_LT(find_outliers(x).index.size(), 50u);
}

TEST(Outliers, OfNothingAreNone) {
  EXPECT_TRUE(find_outliers({}).index.empty());
  EXPECT_FALSE(find_outliers({}).largest);
  EXPECT_EQ(find_outliers(std::vector<double>(10, 0.0)).time_share, 0);
}

TEST(OutliersAcceptance, FindsEveryDoubledSampleAndFewOthers) {
  Random random(1);
  std::vector<double> x = simulate(kWhite, 100000, 1);
  std::vector<std::uint32_t> planted;
  for (std::uint32_t i = 0; i < x.size(); ++i)
    if (random.uniform() < 0.01) {
      x[i] *= 2;
      planted.push_back(i);
    }
  EXPECT_EQ(find_outliers(x).index, planted);
}

}  // namespace
}  // namespace strobe::stats
