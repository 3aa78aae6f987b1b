// SPDX-License-Identifier: Apache-2.0
// How often a comparison is wrong about two equal systems, and how often it finds a change, over many simulated
// comparisons: the figures docs/statistics.md states.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/comparison.h"
#include "stats/quantile.h"
#include "stats/signed_rank.h"
#include "stats/synthetic/acceptance.h"
#include "stats/synthetic/rounds.h"

namespace strobe::stats {
namespace {

constexpr std::uint64_t kTrials = 1000;

constexpr Process kSlowAr{.name = "AR 0.998", .rho = 0.998};

struct Cell {
  Process noise;
  double drift = 0;
  double found = 0;  // of a 1 % change, in %; 0 where it is only shown

  std::string name() const { return drift > 0 ? "drift 2 %" : std::string(noise.name); }
};

constexpr Cell kCells[] = {{kWhite, 0, 90},        {kAr80, 0, 75},  {kWhite, 0.02, 90}, {kSlowAr},
                           {kSlowBistable, 0, 90}, {kFastBistable}, {kBursts, 0, 90}};

bool different(const RatioComparison& c) {
  return c.outcome == Outcome::faster || c.outcome == Outcome::slower;
}

bool covers(const Estimate& e, double truth) {
  return bounded(e) && *e.low <= truth && truth <= *e.high;
}

TEST(ComparisonRates, OfTwoEqualSystemsAtMostTwoPercentAreCalledDifferent) {
  for (const Cell& cell : kCells) {
    Rate wrong{.what = "A/A called different: " + cell.name()};
    Rate same{.what = "A/A called equivalent: " + cell.name()};
    for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
      const RatioComparison c = compare_rounds(simulate_rounds({.noise = cell.noise, .drift = cell.drift}, seed));
      wrong.add(different(c));
      same.add(c.outcome == Outcome::equivalent);
    }
    expect_between(wrong, 0, 2);
    print(same);
  }
}

TEST(ComparisonRates, AChangeOfOnePercentIsFound) {
  for (const Cell& cell : kCells) {
    Rate found{.what = "1 % slower found: " + cell.name()};
    Rate reversed{.what = "1 % slower called faster: " + cell.name()};
    for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
      const auto c =
          compare_rounds(simulate_rounds({.noise = cell.noise, .change = 0.01, .drift = cell.drift}, 10000 + seed));
      found.add(c.outcome == Outcome::slower);
      reversed.add(c.outcome == Outcome::faster);
    }
    expect_between(found, cell.found, 100);
    expect_between(reversed, 0, 0.3);
  }
}

TEST(ComparisonRates, OfLargerChangesAlmostAllAreFound) {
  for (const double change : {0.02, 0.05}) {
    Rate found{.what = std::to_string(static_cast<int>(100 * change)) + " % slower found: AR 0.8"};
    for (std::uint64_t seed = 1; seed <= kTrials; ++seed)
      found.add(compare_rounds(simulate_rounds({.change = change}, 20000 + seed)).outcome == Outcome::slower);
    expect_between(found, 99, 100);
  }
}

TEST(ComparisonRates, TheIntervalOfTheRatioCoversTheChange) {
  for (const Cell& cell : kCells)
    for (const std::size_t rounds : {12u, 32u}) {
      Rate covered{.what = "coverage, " + std::to_string(rounds) + " rounds: " + cell.name()};
      for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
        const auto y =
            simulate_rounds({.noise = cell.noise, .change = 0.01, .drift = cell.drift, .rounds = rounds}, 30000 + seed);
        covered.add(covers(compare_rounds(y).ratio, 1.01));
      }
      expect_coverage(covered);
    }
}

// B alone has 15 % of heavy outliers: medians of a round make their ratio symmetric enough.
TEST(ComparisonRates, OutliersOfOneSideDoNotHurtTheInterval) {
  const Process clean{.name = "clean", .sd = 0.03};
  const Process heavy{.name = "heavy", .sd = 0.03, .outlier_share = 0.15};
  const double truth = true_quantile(heavy, 0.5) / true_quantile(clean, 0.5);
  for (const std::size_t samples : {1u, 5u, 15u}) {
    Rate covered{.what = "coverage, one side with 15 % outliers, " + std::to_string(samples) + " a turn"};
    Rate ranks{.what = "the same, signed ranks always, " + std::to_string(samples) + " a turn"};
    for (std::uint64_t seed = 1; seed <= 4 * kTrials; ++seed) {
      const auto a = simulate(clean, 32 * samples, 2 * seed);
      const auto b = simulate(heavy, 32 * samples, 2 * seed + 1);
      std::vector<double> y;
      for (std::size_t i = 0; i < 32 * samples; i += samples)
        y.push_back(
            std::log(median_of(std::span(b).subspan(i, samples)) / median_of(std::span(a).subspan(i, samples))));
      covered.add(covers(compare_rounds(y).ratio, truth));
      ranks.add(covers(hodges_lehmann(y), std::log(truth)));
    }
    print(ranks);
    if (samples == 15)
      expect_between(covered, 93.5, 97);
    else
      print(covered);
  }
}

TEST(ComparisonRates, OfTwentyEqualPairsRarelyAnyIsCalledDifferent) {
  Rate any{.what = "any of 20 A/A pairs called different: Holm"};
  Rate any_alone{.what = "any of 20 A/A pairs called different: each by itself"};
  for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
    std::vector<std::vector<double>> family;
    bool alone = false;
    for (std::uint64_t i = 0; i < 20; ++i) {
      family.push_back(simulate_rounds({}, 40000 + 20 * seed + i));
      alone = alone || different(compare_rounds(family.back()));
    }
    const auto verdicts = compare_family(family);
    any.add(std::any_of(verdicts.begin(), verdicts.end(), different));
    any_alone.add(alone);
  }
  expect_between(any, 0, 6);
  print(any_alone);
}

TEST(ComparisonRates, LoadingAnewFourTimesKeepsPlacementFromLookingLikeAChange) {
  for (const std::size_t loads : {1u, 4u, 8u})
    for (const Process& noise : {kWhite, kAr80}) {
      const std::string where = std::to_string(loads) + " loads: " + std::string(noise.name);
      Rate wrong{.what = "0.3 % placement called different, " + where};
      Rate excluded{.what = "0.3 % placement, 99 % interval excludes 1, " + where};
      for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
        const auto y = simulate_rounds({.noise = noise, .placement = 0.003, .loads = loads}, 50000 + seed);
        const RatioComparison c = compare_rounds(y);
        wrong.add(different(c));
        excluded.add(c.p <= 0.01);
      }
      print(excluded);
      if (loads >= 4)
        expect_at_most(wrong, 2.6);
      else
        print(wrong);
    }
}

// One figure a launch, each with what this launch adds.
std::vector<double> launches(std::size_t count, double effect, Random& random) {
  std::vector<double> out(count);
  for (double& x : out) x = std::exp(effect * random.normal() + 0.001 * random.normal());
  return out;
}

TEST(ComparisonRates, WelchCoversWhatLaunchesDifferBy) {
  for (const std::size_t count : {3u, 5u, 10u}) {
    const std::string where = std::to_string(count) + " launches, 1 % effect";
    Rate covered{.what = "coverage, Welch, " + where};
    Rate wrong{.what = "A/A called different, Welch, " + where};
    std::vector<double> half;
    for (std::uint64_t seed = 1; seed <= 4 * kTrials; ++seed) {
      Random random(60000 + seed);
      const auto a = launches(count, 0.01, random);
      const RatioComparison c = compare_launches(a, launches(count, 0.01, random));
      covered.add(covers(c.ratio, 1));
      wrong.add(different(c));
      half.push_back((*c.ratio.high - *c.ratio.low) / 2);
    }
    if (count == 5)
      expect_between(covered, 93.5, 97);
    else
      print(covered);
    expect_at_most(wrong, 1);
    print("typical half width in %, Welch, " + where, 100 * median_of(half));
  }
}

}  // namespace
}  // namespace strobe::stats
