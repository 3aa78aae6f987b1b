// SPDX-License-Identifier: Apache-2.0
#include "stats/synthetic/processes.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "stats/autocorrelation.h"
#include "stats/mean.h"
#include "stats/quantile.h"

namespace strobe::stats {
namespace {

TEST(Processes, AreTheSameForTheSameSeed) {
  for (const Process& p : processes()) {
    EXPECT_EQ(simulate(p, 100, 7), simulate(p, 100, 7)) << p.name;
    EXPECT_NE(simulate(p, 100, 7), simulate(p, 100, 8)) << p.name;
  }
}

TEST(Processes, AStartOfASeriesIsTheShorterSeries) {
  const auto longer = simulate(kBursts, 200, 7);
  const auto shorter = simulate(kBursts, 100, 7);
  EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), longer.begin()));
}

TEST(Processes, TheirTrueQuantilesAreWhatLongSeriesShow) {
  for (const Process& p : processes()) {
    std::vector<double> x = simulate(p, 1000000, 3);
    std::sort(x.begin(), x.end());
    for (const double level : {0.1, 0.5, 0.9})
      EXPECT_NEAR(quantile(x, level) / true_quantile(p, level), 1, 0.004) << p.name << ' ' << level;
  }
}

TEST(Processes, HaveTheNamedCorrelation) {
  for (const Process& p : {kWhite, kAr50, kAr80, kAr95})
    EXPECT_NEAR(lag1(Series{.values = simulate(p, 200000, 1)}), p.rho, 0.02) << p.name;
}

TEST(Processes, ATwoStateClockStaysAsLongAsSaid) {
  const auto x = simulate(kFastBistable, 200000, 1);
  std::size_t changes = 0;
  std::size_t slow = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    slow += x[i] > 1.04;
    changes += i > 0 && (x[i] > 1.04) != (x[i - 1] > 1.04);
  }
  EXPECT_NEAR(static_cast<double>(slow) / 200000, 1.0 / 3, 0.02);
  EXPECT_NEAR(200000.0 / static_cast<double>(changes), 30, 2);
}

TEST(Processes, ShapesChangeWhatTheySay) {
  const std::vector<double> flat(100, 1.0);
  EXPECT_DOUBLE_EQ(with_step(flat, 0.25, 10)[9], 1.25);
  EXPECT_DOUBLE_EQ(with_step(flat, 0.25, 10)[10], 1);
  EXPECT_DOUBLE_EQ(with_ramp(flat, 1, 10)[0], 2);
  EXPECT_DOUBLE_EQ(with_ramp(flat, 1, 10)[5], 1.5);
  EXPECT_NEAR(with_decay(flat, 0.3, 10)[10], 1 + 0.3 / std::exp(1), 1e-12);
  EXPECT_DOUBLE_EQ(with_drift(flat, 0.04)[50], 1.02);
  EXPECT_DOUBLE_EQ(with_late_step(flat, 0.1, 60)[60], 1.1);
  EXPECT_DOUBLE_EQ(with_late_step(flat, 0.1, 60)[59], 1);
  EXPECT_DOUBLE_EQ(with_tick(std::vector<double>{1.26}, 0.5)[0], 1.5);
}

}  // namespace
}  // namespace strobe::stats
