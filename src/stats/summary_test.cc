// SPDX-License-Identifier: Apache-2.0
#include "stats/summary.h"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

void expect_finite(const Estimate& e) {
  EXPECT_TRUE(std::isfinite(e.value));
  EXPECT_TRUE(!e.low || (std::isfinite(*e.low) && *e.low <= e.value));
  EXPECT_TRUE(!e.high || (std::isfinite(*e.high) && *e.high >= e.value));
}

void expect_finite(const Summary& s) {
  expect_finite(s.median);
  expect_finite(s.mean);
  for (const double x : {s.stddev, s.min, s.max, s.lag1, s.tick, s.size.tau, s.size.n_eff, s.drift.change,
                         s.outliers.share, s.outliers.time_share, s.shifts.sigma})
    EXPECT_TRUE(std::isfinite(x));
  for (const Percentile& p : s.percentiles) expect_finite(p.estimate);
  for (const Mode& m : s.modes.modes) EXPECT_TRUE(std::isfinite(m.centre) && std::isfinite(m.share));
  for (const Level& l : s.shifts.levels) EXPECT_TRUE(std::isfinite(l.log_value) && std::isfinite(l.share));
  for (const Piece& p : s.shifts.pieces) EXPECT_TRUE(std::isfinite(p.level));
  for (const double e : s.histogram.edges) EXPECT_TRUE(std::isfinite(e));
}

TEST(Summary, OfAKnownSeriesIsTheTruth) {
  const auto x = simulate(kAr50, 20000, 5);
  const Summary s = summarize(Series{.values = x});
  EXPECT_EQ(s.n, 20000u);
  EXPECT_NEAR(s.median.value, 1, 0.002);
  EXPECT_NEAR(s.stddev, 0.02, 0.001);
  EXPECT_NEAR(s.lag1, 0.5, 0.05);
  EXPECT_LT(s.size.n_eff, 18000);
  EXPECT_LE(*s.median.low, 1.0);
  EXPECT_GE(*s.median.high, 1.0);
  EXPECT_FALSE(s.drift.flagged);
  EXPECT_EQ(s.shifts.kind, ShiftKind::none);
  EXPECT_EQ(s.modes.modes.size(), 1u);
  EXPECT_TRUE(s.outliers.index.empty());
}

TEST(Summary, RefusesAPercentileAndSaysWhatItNeeds) {
  const auto x = simulate(kWhite, 500, 5);
  const Summary s = summarize(Series{.values = x});
  ASSERT_EQ(s.percentiles.size(), 3u);
  EXPECT_FALSE(s.percentiles[0].needs);
  ASSERT_TRUE(s.percentiles[2].needs);
  EXPECT_GE(*s.percentiles[2].needs, 3688u);
}

TEST(Summary, AlwaysAsksForMoreRequestsThanThereWere) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto x = simulate(kAr80, 400, seed);
    for (const Percentile& p : summarize(Series{.values = x}).percentiles) EXPECT_GT(p.needs.value_or(401), 400u);
  }
}

TEST(Summary, KeepsAKnownTickAndGuessesAnUnknownOne) {
  const auto x = with_tick(simulate(kWhite, 2000, 1), 0.001);
  EXPECT_EQ(summarize(Series{.values = x, .tick = 0.002}).tick, 0.002);
  const Summary guessed = summarize(Series{.values = x});
  EXPECT_TRUE(guessed.tick_guessed);
  EXPECT_NEAR(guessed.tick, 0.001, 1e-12);
}

TEST(Summary, OfEmptyTinyConstantAndCoarseSeriesIsFinite) {
  const std::vector<std::vector<double>> odd{{},
                                             {1},
                                             {0},
                                             {1, 2},
                                             {3, 3, 3},
                                             {0, 0, 0, 0, 0, 0, 0},
                                             std::vector<double>(1000, 5.0),
                                             std::vector<double>(1000, 0.0),
                                             {-1, 0, 1, 2, 3, 4, 5, 6, 7},
                                             {1e-300, 1e100, 1, 2, 3, 4, 5},
                                             with_tick(simulate(kWhite, 1000, 1), 1.0),
                                             with_tick(simulate(kOutliers, 1000, 1), 0.5),
                                             with_late_step(std::vector<double>(500, 1.0), 1e6, 250)};
  for (const auto& x : odd) {
    expect_finite(summarize(Series{.values = x}));
    expect_finite(summarize(Series{.values = x, .tick = 1}));
    const std::vector<std::uint32_t> one_round_each = [&x] {
      std::vector<std::uint32_t> r;
      for (std::uint32_t i = 0; i < x.size(); ++i) r.push_back(i);
      return r;
    }();
    expect_finite(
        summarize(Series{.values = x, .round = one_round_each, .at_seconds = std::vector<double>(x.size(), 0.0)}));
  }
}

TEST(Summary, OfEveryProcessAndSizeIsFinite) {
  for (const Process& p : processes())
    for (const std::size_t n : {5u, 6u, 7u, 19u, 20u, 49u, 50u, 99u, 100u, 201u, 202u, 1000u})
      expect_finite(summarize(Series{.values = simulate(p, n, n)}));
}

TEST(Summary, WithoutPicturesHasNone) {
  const auto x = simulate(kWhite, 100, 1);
  const Summary s = summarize(Series{.values = x}, {.pictures = false});
  EXPECT_TRUE(s.histogram.counts.empty());
}

}  // namespace
}  // namespace strobe::stats
