// SPDX-License-Identifier: Apache-2.0
#include "stats/warmup.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "stats/quantile.h"
#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

std::vector<double> blocks_with_step(std::size_t count, std::size_t length, double height) {
  std::vector<double> z(count, 0.0);
  for (std::size_t i = 0; i < length; ++i) z[i] = height;
  return z;
}

TEST(Warmup, OfANoiseFreeStepEndsWhereItJumps) {
  const Warmup w = find_warmup(blocks_with_step(100, 8, 0.2), 0);
  EXPECT_EQ(w.cut, 8u);
  EXPECT_EQ(w.state, Settling::warm_up);
}

TEST(Warmup, SlowDownIsTheOtherDirection) {
  const Warmup w = find_warmup(blocks_with_step(100, 25, -0.06), 0);
  EXPECT_EQ(w.cut, 25u);
  EXPECT_EQ(w.state, Settling::slow_down);
}

TEST(Warmup, IsFlatForAConstantSeries) {
  const Warmup w = find_warmup(std::vector<double>(100, 3.0), 0);
  EXPECT_EQ(w.cut, 0u);
  EXPECT_EQ(w.state, Settling::flat);
}

TEST(Warmup, NeedsTwentyBlocks) {
  EXPECT_EQ(find_warmup(blocks_with_step(19, 3, 0.5), 0).cut, 0u);
  EXPECT_EQ(find_warmup(blocks_with_step(20, 3, 0.5), 0).cut, 3u);
  EXPECT_EQ(find_warmup({}, 0).cut, 0u);
}

TEST(Warmup, ThatTakesHalfTheWindowIsNotSettled) {
  std::vector<double> ramp;
  for (int i = 0; i < 100; ++i) ramp.push_back(-0.001 * i);
  EXPECT_EQ(find_warmup(ramp, 0).state, Settling::not_settled);
}

TEST(Warmup, IgnoresASingleBurst) {
  std::vector<double> z(100);
  for (std::size_t i = 0; i < 100; ++i) z[i] = 0.01 * (i % 2 == 0 ? 1 : -1);
  z[30] = 1;
  EXPECT_EQ(find_warmup(z, 0).cut, 0u);
}

TEST(Warmup, IsNotCutForLessThanFivePercentOfGain) {
  std::vector<double> z(100);
  for (std::size_t i = 0; i < 100; ++i) z[i] = 0.01 * (i % 2 == 0 ? 1 : -1);
  z[0] = 0.02;  // dropping it would gain 2 %
  EXPECT_EQ(find_warmup(z, 0).cut, 0u);
  z[0] = 0.05;
  EXPECT_EQ(find_warmup(z, 0).cut, 1u);
}

TEST(Warmup, OfOneCoarseTickIsFoundThoughTheRestNeverMoves) {
  const Warmup w = find_warmup(blocks_with_step(100, 12, 0.02), 0.02);
  EXPECT_EQ(w.cut, 12u);
  EXPECT_EQ(w.state, Settling::warm_up);
}

TEST(Warmup, DifferencesBelowATwentiethOfAPercentAreNone) {
  EXPECT_EQ(find_warmup(blocks_with_step(100, 12, 0.0004), 0).cut, 0u);
  EXPECT_EQ(find_warmup(blocks_with_step(100, 12, 0.0006), 0).cut, 12u);
}

TEST(Warmup, OfARawSeriesIsGivenInSamples) {
  const auto x = with_step(simulate(kWhite, 10000, 3), 0.25, 800);
  const Warmup w = find_warmup(Series{.values = x});
  EXPECT_GE(w.sample, 800u);
  EXPECT_LE(w.sample, 1200u);
  EXPECT_EQ(w.state, Settling::warm_up);
}

TEST(Warmup, OfRoundsIsCutBetweenRounds) {
  const auto x = with_step(simulate(kWhite, 3000, 4), 0.25, 450);
  std::vector<std::uint32_t> round;
  for (std::uint32_t i = 0; i < 3000; ++i) round.push_back(i / 100);
  const Warmup w = find_warmup(Series{.values = x, .round = round});
  EXPECT_EQ(w.sample % 100, 0u);
  EXPECT_GE(w.sample, 500u);
}

TEST(Warmup, OfFewRoundsIsFoundInPiecesOfThem) {
  const auto x = with_step(simulate(kWhite, 960, 4), 0.25, 160);
  std::vector<std::uint32_t> round;
  for (std::uint32_t i = 0; i < 960; ++i) round.push_back(i / 80);
  EXPECT_GE(find_warmup(Series{.values = x, .round = round}).sample, 160u);
}

TEST(Warmup, OfEmptyOrTinySeriesIsNone) {
  EXPECT_EQ(find_warmup(Series{}).sample, 0u);
  const std::vector<double> x{1, 2, 3};
  EXPECT_EQ(find_warmup(Series{.values = x}).sample, 0u);
}

struct Shape {
  const char* name;
  std::vector<double> (*apply)(std::vector<double>);
  std::size_t low, high;  // where the median cut must lie
};

TEST(WarmupAcceptance, CutsKnownShapesWhereTheyEnd) {
  const Shape shapes[] = {
      {"none", [](std::vector<double> x) { return x; }, 0, 0},
      {"step", [](std::vector<double> x) { return with_step(std::move(x), 0.25, 800); }, 800, 900},
      {"slow-down", [](std::vector<double> x) { return with_step(std::move(x), -0.06, 2500); }, 2400, 2700},
  };
  for (const Process& p : {kWhite, kAr80})
    for (const Shape& shape : shapes) {
      std::vector<double> cuts;
      for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto x = shape.apply(simulate(p, 10000, seed));
        cuts.push_back(static_cast<double>(find_warmup(Series{.values = x}).sample));
      }
      const double typical = median_of(cuts);
      EXPECT_GE(typical, static_cast<double>(shape.low)) << p.name << ' ' << shape.name;
      EXPECT_LE(typical, static_cast<double>(shape.high)) << p.name << ' ' << shape.name;
    }
}

}  // namespace
}  // namespace strobe::stats
