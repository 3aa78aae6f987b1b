// SPDX-License-Identifier: Apache-2.0
#include "stats/pass_coupling.h"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

std::vector<std::uint32_t> rounds_of(std::size_t n, std::size_t size) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(static_cast<std::uint32_t>(i / size));
  return out;
}

// Each segment of 80 samples starts `height` slower and settles.
std::vector<double> with_switches(std::vector<double> x, double height, double tau) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= 1 + height * std::exp(-static_cast<double>(i % 80) / tau);
  return x;
}

TEST(PassCoupling, SeesSegmentsThatStillSettle) {
  const auto round = rounds_of(1600, 80);
  const PassCoupling p =
      pass_coupling(Series{.values = with_switches(simulate(kAr80, 1600, 1), 0.1, 40), .round = round});
  EXPECT_TRUE(p.coupled);
  EXPECT_GT(*p.effect.low, 0);
}

TEST(PassCoupling, BelowOnePercentIsNone) {
  const auto round = rounds_of(8000, 80);
  const PassCoupling p =
      pass_coupling(Series{.values = with_switches(simulate(kWhite, 8000, 1), 0.008, 40), .round = round});
  EXPECT_GT(*p.effect.low, 0) << "it is there";
  EXPECT_FALSE(p.coupled) << "but too small to matter";
}

TEST(PassCoupling, AccusesNoCleanSeries) {
  const auto round = rounds_of(1600, 80);
  for (const Process& noise : {kWhite, kAr50, kAr80})
    for (std::uint64_t seed = 0; seed < 100; ++seed)
      EXPECT_FALSE(pass_coupling(Series{.values = simulate(noise, 1600, seed), .round = round}).coupled);
}

TEST(PassCoupling, OfFewRoundsHasNoIntervalAndAccusesNobody) {
  const auto x = with_switches(simulate(kWhite, 560, 1), 0.5, 40);
  EXPECT_FALSE(pass_coupling(Series{.values = x, .round = rounds_of(560, 80)}).coupled);
}

TEST(PassCoupling, WithoutRoundsIsEmpty) {
  EXPECT_TRUE(half_ratios(Series{.values = simulate(kWhite, 100, 1)}).empty());
  EXPECT_FALSE(pass_coupling(Series{}).coupled);
}

TEST(PassCoupling, SkipsRoundsOfUnderFourSamples) {
  const std::vector<double> x{1, 2, 3, 4, 4, 8, 8};
  const std::vector<std::uint32_t> round{0, 0, 0, 1, 1, 1, 1};
  const auto r = half_ratios(Series{.values = x, .round = round});
  ASSERT_EQ(r.size(), 1u);
  EXPECT_NEAR(r[0], std::log(0.5), 1e-12);
}

}  // namespace
}  // namespace strobe::stats
