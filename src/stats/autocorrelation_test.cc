// SPDX-License-Identifier: Apache-2.0
#include "stats/autocorrelation.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

TEST(Lag1, OfAKnownProcessIsItsCorrelation) {
  EXPECT_NEAR(lag1(Series{.values = simulate(kWhite, 50000, 1)}), 0, 0.02);
  EXPECT_NEAR(lag1(Series{.values = simulate(kAr80, 50000, 1)}), 0.8, 0.02);
}

TEST(Lag1, OfAlternatingValuesIsMinusOne) {
  std::vector<double> x;
  for (int i = 0; i < 1000; ++i) x.push_back(i % 2);
  EXPECT_NEAR(lag1(Series{.values = x}), -1, 1e-2);
}

TEST(Lag1, OfConstantOrTinySeriesIsZero) {
  EXPECT_EQ(lag1(Series{}), 0);
  EXPECT_EQ(lag1(Series{.values = std::vector<double>{1}}), 0);
  EXPECT_EQ(lag1(Series{.values = std::vector<double>(10, 2.0)}), 0);
}

TEST(Lag1, LeavesOutPairsAcrossRounds) {
  // Equal inside a round of two, opposite from one round to the next.
  const std::vector<double> x{1, 1, -1, -1, 1, 1, -1, -1};
  const std::vector<std::uint32_t> round{0, 0, 1, 1, 2, 2, 3, 3};
  EXPECT_NEAR(lag1(Series{.values = x, .round = round}), 1, 1e-12);
  EXPECT_LT(lag1(Series{.values = x}), 0.5);
}

}  // namespace
}  // namespace strobe::stats
