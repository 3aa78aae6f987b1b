// SPDX-License-Identifier: Apache-2.0
#include "stats/modes.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

Modes modes_of(const std::vector<double>& x, double tick = 0) {
  std::vector<double> sorted = x;
  std::sort(sorted.begin(), sorted.end());
  return find_modes(sorted, Series{.values = x, .tick = tick});
}

// A share of the samples lies `distance` standard deviations above the rest, in random order.
std::vector<double> mixture(std::size_t n, double share, double distance, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i)
    x.push_back(std::exp(0.01 * (random.normal() + (random.uniform() < share ? distance : 0))));
  return x;
}

TEST(Modes, OfAnOrdinarySeriesIsOneWithEverything) {
  const Modes m = modes_of(simulate(kWhite, 5000, 1));
  ASSERT_EQ(m.modes.size(), 1u);
  EXPECT_EQ(m.modes[0].share, 1);
  EXPECT_NEAR(m.modes[0].centre, 1, 0.01);
}

TEST(Modes, OfAMixtureAreItsCentresAndSharesAndMixed) {
  const Modes m = modes_of(mixture(5000, 0.3, 8, 1));
  ASSERT_EQ(m.modes.size(), 2u);
  EXPECT_NEAR(m.modes[0].centre, 1, 0.002);
  EXPECT_NEAR(m.modes[1].centre, std::exp(0.08), 0.002);
  EXPECT_NEAR(m.modes[1].share, 0.3, 0.02);
  EXPECT_FALSE(m.ordered);
}

TEST(Modes, OfATwoStateClockAreOrderedInTime) {
  EXPECT_TRUE(modes_of(simulate(kSlowBistable, 10000, 1)).ordered);
  EXPECT_TRUE(modes_of(simulate(kFastBistable, 10000, 1)).ordered);
}

TEST(Modes, ThatAlternateWithTheInputAreMixed) {
  std::vector<double> x = simulate(kWhite, 2000, 1);
  for (std::size_t i = 0; i < x.size(); i += 2) x[i] *= 1.5;
  const Modes m = modes_of(x);
  EXPECT_EQ(m.modes.size(), 2u);
  EXPECT_FALSE(m.ordered);
}

TEST(Modes, ThreeAreFound) {
  std::vector<double> x = simulate(kWhite, 3000, 1);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= i % 3 == 0 ? 1.0 : i % 3 == 1 ? 1.3 : 1.7;
  EXPECT_EQ(modes_of(x).modes.size(), 3u);
}

TEST(Modes, OfLessThanATwentiethAreLeftOut) {
  EXPECT_EQ(modes_of(mixture(5000, 0.03, 20, 1)).modes.size(), 1u);
}

TEST(Modes, ACoarseClocksCombIsOneMode) {
  for (const double tick : {0.005, 0.01, 0.02, 0.05}) {
    const auto x = with_tick(simulate(kWhite, 5000, 1), tick);
    EXPECT_EQ(modes_of(x, tick).modes.size(), 1u) << tick;
  }
}

TEST(Modes, ManyTiesAndOneOtherValueAreTwoModes) {
  std::vector<double> x(1000, 1.0);
  for (std::size_t i = 0; i < 200; ++i) x[5 * i] = 2.0;
  const Modes m = modes_of(x);
  ASSERT_EQ(m.modes.size(), 2u);
  EXPECT_EQ(m.modes[1].centre, 2);
  EXPECT_NEAR(m.modes[1].share, 0.2, 1e-12);
}

TEST(Modes, OfEmptyConstantZeroOrTinySeries) {
  EXPECT_TRUE(modes_of({}).modes.empty());
  EXPECT_EQ(modes_of({1, 5}).modes.size(), 1u);
  EXPECT_EQ(modes_of(std::vector<double>(500, 2.0)).modes.size(), 1u);
  EXPECT_EQ(modes_of(std::vector<double>(500, 0.0)).modes.size(), 1u);
}

TEST(ModesAcceptance, FindsSeparateModesAndAccusesNoUnimodalSeries) {
  int found = 0;
  int accused = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    found += modes_of(mixture(2000, 0.1, 5, seed)).modes.size() == 2;
    accused += modes_of(simulate(kAr80, 2000, seed)).modes.size() > 1;
    accused += modes_of(simulate(kWhite, 2000, seed)).modes.size() > 1;
  }
  EXPECT_GE(found, 58);
  EXPECT_EQ(accused, 0);
}

}  // namespace
}  // namespace strobe::stats
