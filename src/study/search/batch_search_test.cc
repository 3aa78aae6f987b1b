// SPDX-License-Identifier: Apache-2.0
#include "study/search/batch_search.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace strobe {
namespace {

// Waves of `wave` items: a batch costs a fixed part and one part for each wave begun.
struct Staircase {
  double fixed = 1e-3, per_wave = 1e-3;
  std::int64_t wave = 16, limit = std::int64_t{1} << 40;

  double rate(std::int64_t b) const {
    const std::int64_t waves = (b + wave - 1) / wave;
    return static_cast<double>(b) / (fixed + per_wave * static_cast<double>(waves));
  }
};

TEST(BatchSearch, FindsTheKneeOfASmoothCurve) {
  const Staircase s{.fixed = 10e-3, .per_wave = 1e-3, .wave = 1};
  const BatchSearch r = search_batch([&](std::int64_t b) { return BatchRate{s.rate(b)}; });
  double top = 0;
  for (const auto& [b, rate] : r.rates) top = std::max(top, rate);
  EXPECT_GE(s.rate(*r.best), 0.95 * top);
  EXPECT_LE(r.trials, 12u);
}

TEST(BatchSearch, NamesTheWave) {
  const Staircase s{.fixed = 0.03e-3, .per_wave = 1e-3, .wave = 64};
  const BatchSearch r = search_batch([&](std::int64_t b) { return BatchRate{s.rate(b)}; });
  EXPECT_EQ(*r.best, 64);
  EXPECT_EQ(*r.wave, 64);
}

TEST(BatchSearch, IsContentWithOneWhereBatchesDoNotPay) {
  const BatchSearch r = search_batch([](std::int64_t) { return BatchRate{100.0}; });
  EXPECT_EQ(*r.best, 1);
  EXPECT_LE(r.trials, 5u);
}

TEST(BatchSearch, StopsWhereMemoryEnds) {
  const Staircase s{.fixed = 100e-3, .per_wave = 1e-4, .wave = 1};
  std::int64_t largest = 0;
  const BatchSearch r = search_batch([&](std::int64_t b) {
    largest = std::max(largest, b);
    return b > 100 ? BatchRate{std::nullopt} : BatchRate{s.rate(b)};
  });
  EXPECT_EQ(*r.best, 96);  // an edge between 64, which runs, and 128, which does not
  EXPECT_EQ(*r.fails_at, 128);
  EXPECT_EQ(largest, 256);
}

// Whatever single batch does not run, and whatever it says of larger ones: the search ends, and finds a good one.
TEST(BatchSearch, EndsWhereABatchInTheMiddleDoesNotRun) {
  const Staircase s{.fixed = 100e-3, .per_wave = 1e-3, .wave = 1};
  for (std::int64_t bad = 2; bad <= 4096; ++bad) {
    for (const bool is_limit : {true, false}) {
      const BatchSearch r = search_batch([&](std::int64_t batch) {
        return batch == bad ? BatchRate{std::nullopt, is_limit} : BatchRate{s.rate(batch)};
      });
      ASSERT_TRUE(r.best) << bad;
      EXPECT_LE(r.trials, 12u) << bad;
      EXPECT_GT(r.fails_at.value_or(1 << 30), r.rates.rbegin()->first) << bad;
    }
  }
}

TEST(BatchSearch, KeepsTrialsToConfirmAWave) {
  const Staircase s{.fixed = 0.03e-3, .per_wave = 1e-3, .wave = 64};
  EXPECT_GE(search_batch([&](std::int64_t b) { return BatchRate{s.rate(b)}; }).edges_left, 1u);
}

TEST(BatchSearch, GoesOnBehindABatchThatCrashes) {
  const Staircase s{.fixed = 10e-3, .per_wave = 1e-4, .wave = 1};
  const auto crashes_at_16 = [&](std::int64_t b) {
    return b == 16 ? BatchRate{std::nullopt, false} : BatchRate{s.rate(b)};
  };
  EXPECT_GT(*search_batch(crashes_at_16).best, 64);
  EXPECT_EQ(judge_batches(crashes_at_16, {8, 16, 32}).rates.size(), 2u);
}

TEST(BatchSearch, HasNoAnswerWhenNothingRuns) {
  const BatchSearch r = search_batch([](std::int64_t) { return BatchRate{std::nullopt}; });
  EXPECT_FALSE(r.best);
  EXPECT_EQ(r.trials, 1u);
}

// The acceptance of the search: random staircases, 1 % of noise in each trial.
TEST(BatchSearch, FallsShortByAtMostEightPercentOfRandomStaircases) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> u(0, 1);
  std::normal_distribution<double> noise(0, 0.01);
  std::vector<double> shortfalls;
  double trials = 0;
  constexpr int kCurves = 2000;
  for (int i = 0; i < kCurves; ++i) {
    const Staircase s{.fixed = std::exp(-8 + 5 * u(random)),
                      .per_wave = std::exp(-9 + 3 * u(random)),
                      .wave = static_cast<std::int64_t>(std::exp2(std::floor(6 * u(random))))};
    const BatchSearch r = search_batch([&](std::int64_t b) -> BatchRate {
      if (b > 1024) return {std::nullopt};
      return BatchRate{s.rate(b) * std::exp(noise(random))};
    });
    double top = 0;
    for (std::int64_t b = 1; b <= 1024; ++b) top = std::max(top, s.rate(b));
    shortfalls.push_back(1 - s.rate(*r.best) / top);
    trials += static_cast<double>(r.trials) / kCurves;
    EXPECT_LE(r.trials, 12u);
  }
  std::sort(shortfalls.begin(), shortfalls.end());
  EXPECT_LE(shortfalls[static_cast<std::size_t>(0.95 * kCurves)], 0.08);
  EXPECT_LE(trials, 11);
  std::printf("shortfall: median %.1f %%, p95 %.1f %%; %.1f trials\n", 100 * shortfalls[kCurves / 2],
              100 * shortfalls[static_cast<std::size_t>(0.95 * kCurves)], trials);
}

TEST(LargestBatch, IsFoundWithinFivePercent) {
  for (const std::int64_t truth : {3, 100, 1000, 12345}) {
    int tried = 0;
    const auto nothing = [] { return std::optional<std::int64_t>(); };
    const LargestBatch l = search_largest(
        [&](std::int64_t b) {
          ++tried;
          return b <= truth;
        },
        1, std::nullopt, nothing, 40);
    EXPECT_LE(l.fits, truth);
    EXPECT_GT(*l.fails, truth);
    EXPECT_LE(static_cast<double>(*l.fails),
              std::max(1.05 * static_cast<double>(l.fits), static_cast<double>(l.fits) + 1));
  }
}

TEST(LargestBatch, NeedsFewTrialsWithAGoodPrediction) {
  int tried = 0;
  const auto fits = [&](std::int64_t b) {
    ++tried;
    return b <= 1000;
  };
  const LargestBatch l = search_largest(fits, 64, std::nullopt, [] { return std::optional<std::int64_t>(970); });
  EXPECT_EQ(l.fits, 970);
  EXPECT_EQ(*l.fails, 1018);
  EXPECT_EQ(tried, 2);
}

TEST(LargestBatch, ComesBackFromAPredictionThatIsTooHigh) {
  int tried = 0;
  std::int64_t most = 64;
  const auto fits = [&](std::int64_t b) {
    ++tried;
    if (b <= 1000) most = std::max(most, b);
    return b <= 1000;
  };
  // What is known of small batches misleads; what is known of large ones does not.
  const auto predict = [&] { return std::optional<std::int64_t>(most < 500 ? 1300 : 990); };
  const LargestBatch l = search_largest(fits, 64, std::nullopt, predict);
  EXPECT_GE(l.fits, 960);
  EXPECT_LE(tried, 6);
}

TEST(BatchCost, IsFittedFromPeriods) {
  std::map<std::int64_t, double> rates;
  for (const std::int64_t b : {1, 4, 16, 64})
    rates[b] = static_cast<double>(b) / (2e-3 + 1e-4 * static_cast<double>(b));
  const auto c = fit_cost(rates);
  ASSERT_TRUE(c);
  EXPECT_NEAR(c->fixed_seconds, 2e-3, 1e-9);
  EXPECT_NEAR(c->seconds_per_item, 1e-4, 1e-9);
}

TEST(BatchSearch, BeginsWithTheSmallestThatTheModelTakes) {
  std::vector<std::int64_t> tried;
  const BatchSearch s = search_batch(
      [&](std::int64_t b) {
        tried.push_back(b);
        return BatchRate{static_cast<double>(b) / (10 + static_cast<double>(b)), false};
      },
      2);
  EXPECT_EQ(tried.front(), 2);
  EXPECT_EQ(*std::min_element(tried.begin(), tried.end()), 2);
  EXPECT_TRUE(s.best);
}

TEST(BatchCost, DoesNotLetALargeBatchDrownTheSmallOnes) {
  std::map<std::int64_t, double> rates;
  for (const std::int64_t b : {1, 4, 16, 64, 1024}) {
    const double off = b == 1024 ? 1.05 : 1;  // 5 ms, more than all of the smallest
    rates[b] = static_cast<double>(b) / (off * (2e-3 + 1e-4 * static_cast<double>(b)));
  }
  EXPECT_NEAR(fit_cost(rates).value().fixed_seconds, 2e-3, 0.02 * 2e-3);
}

}  // namespace
}  // namespace strobe
