// SPDX-License-Identifier: Apache-2.0
#include "stats/level_shift.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

std::vector<double> levels(const std::vector<std::pair<int, double>>& pieces, double noise, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> z;
  for (const auto& [count, level] : pieces)
    for (int i = 0; i < count; ++i) z.push_back(level + noise * random.normal());
  return z;
}

LevelShifts shifts_of(const std::vector<double>& x) {
  return find_level_shifts(log_medians(x, blocks(x.size())));
}

TEST(LevelShift, FindsOneStepAndItsBoundary) {
  const LevelShifts s = find_level_shifts(levels({{40, 0}, {60, 0.1}}, 0.005, 1));
  EXPECT_EQ(s.kind, ShiftKind::one_shift);
  ASSERT_EQ(s.pieces.size(), 2u);
  EXPECT_EQ(s.pieces[1].blocks, (Range{40, 100}));
  EXPECT_NEAR(s.pieces[1].level - s.pieces[0].level, 0.1, 0.003);
  ASSERT_EQ(s.levels.size(), 2u);
  EXPECT_NEAR(s.levels[0].share, 0.4, 1e-12);
  EXPECT_TRUE(shift_in_progress(s));
}

TEST(LevelShift, FindsAStepWithoutAnyNoise) {
  const LevelShifts s = find_level_shifts(levels({{40, 0}, {60, 0.1}}, 0, 1));
  EXPECT_EQ(s.sigma, 0);
  EXPECT_EQ(s.kind, ShiftKind::one_shift);
  EXPECT_EQ(s.pieces[1].blocks.begin, 40u);
}

TEST(LevelShift, CoinFlipsBetweenTwoValuesAreNoRegimes) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    std::vector<double> z(100);
    for (double& v : z) v = random.uniform() < 0.3 ? 0.1 : 0.0;
    EXPECT_EQ(find_level_shifts(z).kind, ShiftKind::none) << seed;
  }
}

TEST(LevelShift, SmallerThanTwoPercentIsNone) {
  EXPECT_EQ(find_level_shifts(levels({{50, 0}, {50, 0.018}}, 0.0005, 1)).kind, ShiftKind::none);
  EXPECT_EQ(find_level_shifts(levels({{50, 0}, {50, 0.022}}, 0.0005, 1)).kind, ShiftKind::one_shift);
}

TEST(LevelShift, SmallerThanTwoTicksIsNone) {
  EXPECT_EQ(find_level_shifts(levels({{50, 0}, {50, 0.03}}, 0, 1), 0.02).kind, ShiftKind::none);
  EXPECT_EQ(find_level_shifts(levels({{50, 0}, {50, 0.05}}, 0, 1), 0.02).kind, ShiftKind::one_shift);
}

TEST(LevelShift, UpAndDownAgainIsRegimeSwitchingWithItsLevelsAndShares) {
  const LevelShifts s = find_level_shifts(levels({{20, 0}, {20, 0.08}, {20, 0}, {20, 0.08}, {20, 0.001}}, 0.003, 2));
  EXPECT_EQ(s.kind, ShiftKind::regime_switching);
  EXPECT_EQ(s.pieces.size(), 5u);
  ASSERT_EQ(s.levels.size(), 2u);
  EXPECT_NEAR(s.levels[0].share, 0.6, 0.02);
  EXPECT_NEAR(s.levels[1].log_value, 0.08, 0.003);
}

TEST(LevelShift, TwiceUpIsNoRegime) {
  const LevelShifts s = find_level_shifts(levels({{30, 0}, {30, 0.05}, {40, 0.1}}, 0.003, 2));
  EXPECT_EQ(s.kind, ShiftKind::several_shifts);
  EXPECT_EQ(s.levels.size(), 3u);
}

TEST(LevelShift, PiecesShorterThanFiveBlocksAreNotSeen) {
  EXPECT_EQ(find_level_shifts(levels({{48, 0}, {2, 0.1}, {50, 0}}, 0.005, 3)).kind, ShiftKind::none);
}

TEST(LevelShift, TenVisitsOfRegimesAreEnoughToStop) {
  std::vector<std::pair<int, double>> pieces;
  for (int i = 0; i < 10; ++i) pieces.push_back({10, 0.08 * (i % 2)});
  EXPECT_FALSE(shift_in_progress(find_level_shifts(levels(pieces, 0.002, 1))));
  pieces.pop_back();
  EXPECT_TRUE(shift_in_progress(find_level_shifts(levels(pieces, 0.002, 1))));
}

TEST(LevelShift, OfNothingOrLittleIsNone) {
  EXPECT_EQ(find_level_shifts({}).kind, ShiftKind::none);
  EXPECT_TRUE(find_level_shifts({}).pieces.empty());
  EXPECT_EQ(find_level_shifts(std::vector<double>(9, 1.0)).pieces.size(), 1u);
  EXPECT_EQ(find_level_shifts(std::vector<double>(100, 1.0)).kind, ShiftKind::none);
}

TEST(LevelShiftAcceptance, FindsThreePercentAndAccusesNoCleanSeries) {
  for (const Process& p : {kWhite, kAr50, kAr80}) {
    int found = 0;
    int accused = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const auto x = simulate(p, 10000, seed);
      accused += shifts_of(x).kind != ShiftKind::none;
      found += shifts_of(with_late_step(x, 0.03, 5000)).kind != ShiftKind::none;
    }
    EXPECT_EQ(found, 60) << p.name;
    EXPECT_LE(accused, 1) << p.name;
  }
}

}  // namespace
}  // namespace strobe::stats
