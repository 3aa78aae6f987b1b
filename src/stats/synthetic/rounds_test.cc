// SPDX-License-Identifier: Apache-2.0
#include "stats/synthetic/rounds.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stats/mean.h"
#include "stats/quantile.h"

namespace strobe::stats {
namespace {

constexpr Process kSilent{.name = "silent", .sd = 0};

TEST(SyntheticRounds, AreTheSameForTheSameSeed) {
  EXPECT_EQ(simulate_rounds({}, 7), simulate_rounds({}, 7));
  EXPECT_NE(simulate_rounds({}, 7), simulate_rounds({}, 8));
  EXPECT_EQ(simulate_rounds({}, 7).size(), 32u);
}

TEST(SyntheticRounds, WithoutNoiseShowTheChange) {
  for (const double y : simulate_rounds({.noise = kSilent, .change = 0.05}, 1)) EXPECT_NEAR(y, std::log(1.05), 1e-14);
}

TEST(SyntheticRounds, OfTwoRoundsCancelADrift) {
  const auto y = simulate_rounds({.noise = kSilent, .drift = 0.02}, 1);
  for (std::size_t i = 0; i < y.size(); i += 2) {
    EXPECT_GT(std::abs(y[i]), 2e-4) << "a turn is 1/64 of the drift";
    EXPECT_NEAR(y[i], -y[i + 1], 1e-5);
  }
}

TEST(SyntheticRounds, TakeTheFirstTurnByChance) {
  int up = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    up += simulate_rounds({.noise = kSilent, .drift = 0.02, .rounds = 2}, seed)[0] > 0;
  EXPECT_GT(up, 60);
  EXPECT_LT(up, 140);
}

TEST(SyntheticRounds, KeepAsManySamplesAsSaid) {
  // The time doubles over 4 turns of 4 dropped and 31 kept: the middle of what is kept is sample 19, then sample 54.
  const auto doubling = simulate_rounds({.noise = kSilent, .drift = 1, .rounds = 2}, 1);
  EXPECT_NEAR(std::abs(doubling[0]), std::log((1 + 54.0 / 140) / (1 + 19.0 / 140)), 1e-12);
  // Two dropped, one kept: every sixth sample is every other turn.
  const Process every_other{.name = "every other turn", .sd = 0, .spike_every = 6};
  for (const double y : simulate_rounds({.noise = every_other, .samples = 1}, 1))
    EXPECT_NEAR(std::abs(y), std::log(1.5), 1e-12);
}

TEST(SyntheticRounds, ALoadShiftsItsRoundsAlike) {
  const auto y = simulate_rounds({.noise = kSilent, .placement = 0.003, .loads = 4}, 1);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], y[i / 8 * 8]) << i;
  EXPECT_NE(y[0], y[8]);
  EXPECT_NE(y[8], y[16]);
}

TEST(SyntheticRounds, ALoadShiftsBothSidesBySoMuch) {
  std::vector<double> y;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed)
    y.push_back(simulate_rounds({.noise = kSilent, .rounds = 2, .samples = 1, .placement = 0.003}, seed)[0]);
  EXPECT_NEAR(stddev(y), 0.003 * std::sqrt(2), 0.0002);
}

}  // namespace
}  // namespace strobe::stats
