// SPDX-License-Identifier: Apache-2.0
#include "stats/distributions.h"

#include <cmath>

#include <gtest/gtest.h>

namespace strobe::stats {
namespace {

TEST(Distributions, NormalQuantileMatchesTables) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963985, 1e-8);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15);
  EXPECT_NEAR(normal_cdf(1.959963985), 0.975, 1e-9);
}

TEST(Distributions, StudentQuantileMatchesTables) {
  EXPECT_NEAR(student_t_quantile(0.975, 1), 12.7062, 1e-4);
  EXPECT_NEAR(student_t_quantile(0.975, 15), 2.13145, 1e-5);
  EXPECT_NEAR(student_t_quantile(0.975, 1e6), 1.95997, 1e-4);
}

TEST(Distributions, StudentProbabilitiesMatchTables) {
  EXPECT_NEAR(student_t_cdf(12.7062, 1), 0.975, 1e-6);
  EXPECT_NEAR(student_t_cdf(-2.13145, 15), 0.025, 1e-6);
  EXPECT_EQ(student_t_cdf(0, 0.5), 0.5);
  EXPECT_TRUE(std::isfinite(student_t_cdf(-1e300, 7)));
}

TEST(Distributions, BinomialCdfIsExactForSixCoins) {
  EXPECT_NEAR(binomial_cdf(0, 6, 0.5), 1.0 / 64, 1e-15);
  EXPECT_NEAR(binomial_cdf(3, 6, 0.5), 42.0 / 64, 1e-14);
  EXPECT_EQ(binomial_cdf(-1, 6, 0.5), 0);
  EXPECT_EQ(binomial_cdf(6, 6, 0.5), 1);
}

TEST(Distributions, BinomialQuantileIsTheSmallestCountThatReachesTheProbability) {
  for (const std::int64_t n : {1, 2, 7, 50, 999, 100000})
    for (const double p : {0.01, 0.5, 0.9, 0.99, 0.999})
      for (const double probability : {0.0005, 0.025, 0.5, 0.975}) {
        const std::int64_t k = binomial_quantile(probability, n, p);
        EXPECT_GE(binomial_cdf(k, n, p), probability) << n << ' ' << p;
        EXPECT_LT(binomial_cdf(k - 1, n, p), probability) << n << ' ' << p;
      }
}

TEST(Distributions, BetaQuantileGivesClopperPearsonLimits) {
  EXPECT_NEAR(beta_quantile(0.975, 1, 10), 0.3085, 1e-4);  // 0 of 10: upper limit 30.85 %
  EXPECT_EQ(beta_quantile(0.025, 0, 11), 0);
  EXPECT_EQ(beta_quantile(0.975, 11, 0), 1);
}

TEST(Distributions, CertaintyIsClampedToFiniteValues) {
  for (const double p : {0.0, 1.0}) {
    EXPECT_TRUE(std::isfinite(normal_quantile(p)));
    EXPECT_TRUE(std::isfinite(student_t_quantile(p, 1)));
    EXPECT_TRUE(std::isfinite(beta_quantile(p, 1, 1)));
  }
}

}  // namespace
}  // namespace strobe::stats
