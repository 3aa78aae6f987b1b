// SPDX-License-Identifier: Apache-2.0
#include "workload/pipeline/numpy_randn.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace strobe {
namespace {

std::vector<double> many(std::size_t n, std::uint32_t seed) {
  NumpyRandn randn(seed);
  std::vector<double> numbers(n);
  for (double& x : numbers) x = randn.number();
  return numbers;
}

double share_beyond(const std::vector<double>& xs, double limit) {
  const auto n = std::count_if(xs.begin(), xs.end(), [&](double x) { return std::fabs(x) > limit; });
  return static_cast<double>(n) / static_cast<double>(xs.size());
}

double normal_below(double x) {
  return std::erfc(-x / std::sqrt(2)) / 2;
}

TEST(MersenneTwister, GivesTheWordsOfTheStandardLibrarys) {
  for (const std::uint32_t seed : {0u, 1u, 5489u, 0xffffffffu}) {
    MersenneTwister ours(seed);
    std::mt19937 theirs(seed);
    for (int i = 0; i < 2000; ++i) ASSERT_EQ(ours.word(), theirs()) << seed << ' ' << i;
  }
}

// numpy.random.RandomState(1).randn(786432), and the first of the seed 12345: as many digits as a double has.
TEST(NumpyRandn, GivesTheNumbersOfNumpy) {
  const std::vector<double> x = many(786'432, 1);
  EXPECT_DOUBLE_EQ(x[0], 1.6243453636632417);
  EXPECT_DOUBLE_EQ(x[1], -0.61175641365007538);
  EXPECT_DOUBLE_EQ(x[2], -0.5281717522634557);
  EXPECT_DOUBLE_EQ(x[1000], -0.15323616176709168);
  EXPECT_DOUBLE_EQ(x[786'431], -0.15402100963563375);
  EXPECT_DOUBLE_EQ(many(1, 12345)[0], -0.20470765948471295);
}

TEST(NumpyRandn, FillsWithTheSameNumbersWhereverItStopped) {
  NumpyRandn randn(7);
  std::vector<float> filled(5);
  randn.fill(std::span(filled).first(3));  // in the middle of a pair
  randn.fill(std::span(filled).subspan(3));
  const std::vector<double> expected = many(5, 7);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(filled[i], static_cast<float>(expected[i]));
}

// Five standard errors each.
TEST(NumpyRandn, HasTheMomentsOfANormalNumber) {
  const std::vector<double> x = many(1'000'000, 3);
  double sum[5] = {};
  for (const double v : x) {
    double power = 1;
    for (int k = 1; k <= 4; ++k) sum[k] += power *= v;
  }
  const auto n = static_cast<double>(x.size());
  EXPECT_NEAR(sum[1] / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(sum[2] / n, 1, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(sum[3] / n, 0, 5 * std::sqrt(15 / n));
  EXPECT_NEAR(sum[4] / n, 3, 5 * std::sqrt(96 / n));
}

TEST(NumpyRandn, HasTheTailsOfANormalNumber) {
  const std::vector<double> x = many(2'000'000, 4);
  for (const double limit : {1.0, 2.0, 3.0, 4.0, 4.5}) {
    const double expected = 2 * normal_below(-limit);
    EXPECT_NEAR(share_beyond(x, limit), expected, 5 * std::sqrt(expected / static_cast<double>(x.size()))) << limit;
  }
}

// Kolmogorov and Smirnov: above 1.95 / sqrt(n) in one of a thousand seeds.
TEST(NumpyRandn, IsNowhereFarFromTheNormalDistribution) {
  std::vector<double> x = many(200'000, 5);
  std::sort(x.begin(), x.end());
  const auto n = static_cast<double>(x.size());
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double p = normal_below(x[i]), below = static_cast<double>(i) / n;
    worst = std::max({worst, p - below, below + 1 / n - p});
  }
  EXPECT_LT(worst, 1.95 / std::sqrt(n));
}

}  // namespace
}  // namespace strobe
