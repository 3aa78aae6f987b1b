// SPDX-License-Identifier: Apache-2.0
#include "stats/tick.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

double guess(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return guess_tick(x);
}

std::vector<double> nanoseconds(double median, double tick) {
  std::vector<double> x = simulate(kWhite, 5000, 1);
  for (double& v : x) v = std::round(std::round(v * median / tick) * tick);
  return x;
}

TEST(Tick, OfWholeMultiplesIsTheirDivisor) {
  EXPECT_EQ(guess({3000, 5000, 7000, 12000}), 1000);
  EXPECT_EQ(guess(nanoseconds(1e6, 512)), 512);
  EXPECT_EQ(guess(nanoseconds(1e6, 1)), 1);
}

TEST(Tick, OfDecimalsIsFoundToo) {
  EXPECT_NEAR(guess({1.25, 1.5, 2.75, 3.0}), 0.25, 1e-12);
  EXPECT_NEAR(guess({0.001024, 0.002048, 0.003072}), 0.001024, 1e-15);
}

TEST(Tick, ThatDoesNotDivideTheUnitIsTheMedianGap) {
  EXPECT_NEAR(guess(nanoseconds(1e4, 31.25)), 31, 1);
}

TEST(Tick, OfContinuousValuesIsUnknown) {
  EXPECT_EQ(guess(simulate(kWhite, 5000, 1)), 0);
}

TEST(Tick, OfFewDistinctValuesIsUnknown) {
  EXPECT_EQ(guess({}), 0);
  EXPECT_EQ(guess({5}), 0);
  EXPECT_EQ(guess(std::vector<double>(1000, 5.0)), 0);
  EXPECT_EQ(guess({1000, 1000, 1000, 3000}), 0);
}

TEST(Tick, OfManySamplesOfAFineClockStaysFine) {
  // 1 ns ticks, a narrow distribution: few distinct values, because the values repeat, not because the clock is coarse.
  std::vector<double> x = simulate(kWhite, 100000, 1);
  for (double& v : x) v = std::round(v * 1000);
  EXPECT_EQ(guess(x), 1);
}

}  // namespace
}  // namespace strobe::stats
