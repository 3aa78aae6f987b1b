// SPDX-License-Identifier: Apache-2.0
#include "stats/histogram.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

std::vector<double> sorted(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x;
}

void expect_whole(const Histogram& h, std::size_t n) {
  ASSERT_EQ(h.edges.size(), h.counts.size() + 1);
  EXPECT_LE(h.counts.size(), kMostBins);
  EXPECT_EQ(std::accumulate(h.counts.begin(), h.counts.end(), std::size_t{0}), n);
  EXPECT_TRUE(std::is_sorted(h.edges.begin(), h.edges.end()));
}

TEST(Histogram, CountsEverySampleOnceForEveryProcess) {
  for (const Process& p : processes())
    for (const std::size_t n : {1u, 2u, 10u, 1000u, 20000u}) expect_whole(histogram(sorted(simulate(p, n, n))), n);
}

TEST(Histogram, HasEvenWidthsForANarrowRange) {
  const auto x = sorted(simulate(kWhite, 1000, 1));
  const Histogram h = histogram(x);
  EXPECT_FALSE(h.logarithmic);
  EXPECT_NEAR(h.edges[1] - h.edges[0], h.edges[5] - h.edges[4], 1e-12);
  EXPECT_EQ(h.edges.front(), x.front());
}

TEST(Histogram, HasEvenRatiosForAWideRange) {
  const Histogram h = histogram(sorted(with_step(simulate(kWhite, 1000, 1), 99, 100)));
  EXPECT_TRUE(h.logarithmic);
  EXPECT_NEAR(h.edges[1] / h.edges[0], h.edges[5] / h.edges[4], 1e-9);
  expect_whole(h, 1000);
}

TEST(Histogram, OfACoarseClockHasNoComb) {
  const Histogram h = histogram(sorted(with_tick(simulate(kWhite, 100000, 1), 0.004)), 0.004);
  expect_whole(h, 100000);
  EXPECT_NEAR(h.edges[1] - h.edges[0], 0.004, 1e-12);
  const auto middle = h.counts.begin() + static_cast<std::ptrdiff_t>(h.counts.size() / 2);
  EXPECT_GT(*std::min_element(middle - 3, middle + 3), 0u);
}

TEST(Histogram, OfAConstantSeriesIsOneBin) {
  const Histogram h = histogram(std::vector<double>(10, 2.0));
  expect_whole(h, 10);
  EXPECT_EQ(h.counts.size(), 1u);
}

TEST(Histogram, OfNothingIsEmpty) {
  EXPECT_TRUE(histogram({}).counts.empty());
}

TEST(Histogram, AcceptsZerosAndNegativeValues) {
  expect_whole(histogram(std::vector<double>{-5, 0, 0, 1, 900}), 5);
}

}  // namespace
}  // namespace strobe::stats
