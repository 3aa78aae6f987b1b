// SPDX-License-Identifier: Apache-2.0
// What the detectors find and whom they accuse wrongly, over many seeded series: the figures docs/statistics.md states.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/drift.h"
#include "stats/level_shift.h"
#include "stats/modes.h"
#include "stats/outliers.h"
#include "stats/pass_coupling.h"
#include "stats/quantile.h"
#include "stats/synthetic/acceptance.h"
#include "stats/synthetic/processes.h"
#include "stats/warmup.h"

namespace strobe::stats {
namespace {

constexpr std::size_t kSamples = 10000;
constexpr std::uint64_t kTrials = 2000;

std::string name(const Process& p) {
  return std::string(p.name);
}

struct Shape {
  const char* name;
  std::vector<double> (*apply)(std::vector<double>);
};

constexpr Shape kNone{"none", [](std::vector<double> x) { return x; }};
constexpr Shape kStep{"+25 % for 800", [](std::vector<double> x) { return with_step(std::move(x), 0.25, 800); }};
constexpr Shape kRamp{"ramp 2 to 1 over 500", [](std::vector<double> x) { return with_ramp(std::move(x), 1, 500); }};
constexpr Shape kDecay{"+30 %, tau 300", [](std::vector<double> x) { return with_decay(std::move(x), 0.3, 300); }};
constexpr Shape kSlowDown{"6 % faster for 2500",
                          [](std::vector<double> x) { return with_step(std::move(x), -0.06, 2500); }};
constexpr Shape kSmallStep{"+3 % for 800", [](std::vector<double> x) { return with_step(std::move(x), 0.03, 800); }};

struct Cuts {
  double typical = 0;  // median, in samples
  double late = 0;     // 90 % point
  double bias = 0;     // of the retained median, typical
};

Cuts cuts(const Process& p, const Shape& shape) {
  std::vector<double> cut, bias;
  const double truth = true_quantile(p, 0.5);
  for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
    const auto x = shape.apply(simulate(p, kSamples, seed));
    const std::size_t first = find_warmup(Series{.values = x}).sample;
    cut.push_back(static_cast<double>(first));
    bias.push_back(median_of(std::span(x).subspan(first)) / truth - 1);
  }
  std::sort(cut.begin(), cut.end());
  const Cuts c{.typical = median(cut), .late = quantile(cut, 0.9), .bias = median_of(bias)};
  std::printf("| %-14s | %-22s | cut %5.0f, p90 %5.0f | bias %+.3f %% |\n", name(p).c_str(), shape.name, c.typical,
              c.late, 100 * c.bias);
  return c;
}

TEST(WarmupDetection, WastesLittleOfASeriesWithoutWarmUp) {
  for (const Process& p : {kWhite, kAr80}) EXPECT_LE(cuts(p, kNone).late, 0.05 * kSamples) << p.name;
  for (const Process& p : {kAr98, kOutliers, kFastBistable, kSlowBistable, kBursts}) cuts(p, kNone);
}

TEST(WarmupDetection, CutsAStepWhereItEnds) {
  for (const Process& p : {kWhite, kAr80, kAr98, kOutliers, kFastBistable, kSlowBistable, kBursts}) {
    const Cuts c = cuts(p, kStep);
    EXPECT_GE(c.typical, 800) << p.name;
    EXPECT_LE(c.typical, 900) << p.name;
    EXPECT_LE(std::abs(c.bias), p.gap > 0 ? 0.001 : 0.0005) << p.name;
  }
}

TEST(WarmupDetection, CutsASlowDownWhereItEnds) {
  for (const Process& p : {kWhite, kAr80, kOutliers, kFastBistable}) {
    const Cuts c = cuts(p, kSlowDown);
    EXPECT_GE(c.typical, 2400) << p.name;
    EXPECT_LE(c.typical, 2700) << p.name;
    EXPECT_LE(std::abs(c.bias), 0.0005) << p.name;
  }
}

TEST(WarmupDetection, LeavesLittleOfRampsDecaysAndSmallSteps) {
  for (const Shape& shape : {kRamp, kDecay, kSmallStep})
    for (const Process& p : {kWhite, kAr80, kOutliers})
      EXPECT_LE(std::abs(cuts(p, shape).bias), 0.001) << p.name << ' ' << shape.name;
  for (const Shape& shape : {kRamp, kDecay, kSmallStep})
    for (const Process& p : {kAr98, kFastBistable, kSlowBistable, kBursts}) cuts(p, shape);
}

// The drift test on what the warm-up left, as a run applies it.
struct Trend {
  bool drift = false;
  bool limit = false;
};

Trend trend(const std::vector<double>& x) {
  const Warmup w = find_warmup(Series{.values = x});
  const auto rest = std::span(x).subspan(w.sample);
  const auto parts = batches(rest.size());
  return {.drift = find_drift(log_medians(rest, parts), parts).flagged, .limit = w.state == Settling::not_settled};
}

TEST(DriftDetection, AccusesStationarySeriesRarely) {
  struct Cell {
    Process process;
    double stated;
  };
  for (const auto& [p, stated] :
       {Cell{kWhite, 0.5}, Cell{kAr50, 1}, Cell{kAr80, 1}, Cell{kAr98, 1.8}, Cell{kOutliers, 0.8},
        Cell{kFastBistable, 2.8}, Cell{kSlowBistable, 2.8}, Cell{kBursts, 0.5}}) {
    Rate alarms{.what = "false drift: " + name(p)};
    for (std::uint64_t seed = 1; seed <= kTrials; ++seed) alarms.add(trend(simulate(p, kSamples, seed)).drift);
    expect_at_most(alarms, stated);
  }
}

TEST(DriftDetection, FindsFourPercent) {
  struct Cell {
    Process process;
    double stated;
  };
  for (const auto& [p, stated] : {Cell{kWhite, 99.8}, Cell{kAr80, 99.8}, Cell{kOutliers, 99.8}, Cell{kBursts, 99.8},
                                  Cell{kFastBistable, 97}, Cell{kAr98, 86}, Cell{kSlowBistable, 57}}) {
    Rate found{.what = "drift of 4 % found, or not settled: " + name(p)};
    for (std::uint64_t seed = 1; seed <= kTrials / 2; ++seed) {
      const Trend t = trend(with_drift(simulate(p, kSamples, seed), 0.04));
      found.add(t.drift || t.limit);
    }
    expect_power(found, stated);
  }
}

LevelShifts shifts(const std::vector<double>& x) {
  return find_level_shifts(log_medians(x, blocks(x.size())));
}

TEST(LevelShiftDetection, AccusesStationarySeriesRarely) {
  struct Cell {
    Process process;
    double stated;
  };
  for (const auto& [p, stated] :
       {Cell{kWhite, 0}, Cell{kAr50, 0}, Cell{kAr80, 0}, Cell{kOutliers, 0}, Cell{kBursts, 1.5}, Cell{kAr98, 7}}) {
    Rate alarms{.what = "false level shift: " + name(p)};
    for (std::uint64_t seed = 1; seed <= kTrials; ++seed)
      alarms.add(shifts(simulate(p, kSamples, seed)).kind != ShiftKind::none);
    expect_at_most(alarms, stated);
  }
}

TEST(LevelShiftDetection, FindsStepsFromThreePercentAndSlowRegimes) {
  for (const double height : {0.03, 0.05, 0.1})
    for (const Process& p : {kWhite, kAr80, kOutliers, kBursts}) {
      Rate found{.what = "shift of " + std::to_string(static_cast<int>(100 * height)) + " % found: " + name(p)};
      for (std::uint64_t seed = 1; seed <= kTrials / 4; ++seed)
        found.add(shifts(with_late_step(simulate(p, kSamples, seed), height, 6000)).kind != ShiftKind::none);
      expect_power(found, 100);
    }
  Rate regimes{.what = "slow regimes found"};
  for (std::uint64_t seed = 1; seed <= kTrials / 4; ++seed)
    regimes.add(shifts(simulate(kSlowBistable, kSamples, seed)).kind != ShiftKind::none);
  expect_power(regimes, 100);
}

Modes modes(const std::vector<double>& x, double tick = 0) {
  std::vector<double> sorted = x;
  std::sort(sorted.begin(), sorted.end());
  return find_modes(sorted, Series{.values = x, .tick = tick});
}

using Draw = double (*)(Random&);

double exponential(Random& r) {
  return -std::log(1 - r.uniform());
}

struct Distribution {
  const char* name;
  Draw draw;
  double tick = 0;
};

constexpr Distribution kNormal{"normal 2 %", [](Random& r) { return 1 + 0.02 * r.normal(); }};
constexpr Distribution kLognormal{"lognormal 0.5", [](Random& r) { return std::exp(0.5 * r.normal()); }};
constexpr Distribution kExponential{"shifted exponential", [](Random& r) { return 1 + exponential(r); }};
constexpr Distribution kGamma{"gamma 2", [](Random& r) { return exponential(r) + exponential(r); }};
constexpr Distribution kUniform{"uniform", [](Random& r) { return 1 + r.uniform(); }};
constexpr Distribution kOneTick{"timer of one tick", [](Random& r) { return std::round(20 + 0.3 * r.normal()); }, 1};
constexpr Distribution kTwoModes{"bimodal 70/30",
                                 [](Random& r) { return (r.uniform() < 0.3 ? 1.3 : 1) * (1 + 0.02 * r.normal()); }};

std::vector<double> draw(const Distribution& d, std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> x(n);
  for (double& v : x) v = d.draw(random);
  return x;
}

TEST(ModeDetection, AccusesNoUnimodalSeries) {
  for (const Process& p : {kWhite, kAr50, kAr80, kAr98, kOutliers}) {
    Rate alarms{.what = "false modes, n = 2000: " + name(p)};
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) alarms.add(modes(simulate(p, 2000, seed)).modes.size() > 1);
    expect_at_most(alarms, p.rho > 0.9 ? 0.5 : 0);
  }
  for (const Distribution& d : {kNormal, kLognormal, kExponential, kGamma, kUniform, kOneTick}) {
    Rate alarms{.what = std::string("false modes, n = 2000: ") + d.name};
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) alarms.add(modes(draw(d, 2000, seed), d.tick).modes.size() > 1);
    expect_at_most(alarms, 0);
  }
  for (const std::size_t n : {100u, 200u, 500u}) {
    Rate alarms{.what = "false modes, normal, n = " + std::to_string(n)};
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) alarms.add(modes(draw(kNormal, n, seed)).modes.size() > 1);
    expect_at_most(alarms, 0.5);
  }
}

std::vector<double> mixture(double share, double distance, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> x(2000);
  for (double& v : x) v = std::exp(0.01 * (random.normal() + (random.uniform() < share ? distance : 0)));
  return x;
}

TEST(ModeDetection, FindsModesFromFourSigmaOn) {
  struct Cell {
    const char* what;
    double share, distance, stated;
  };
  for (const Cell& cell :
       {Cell{"modes 4 sigma apart, 70/30", 0.3, 4, 80}, Cell{"modes 5 sigma apart, 90/10", 0.1, 5, 100},
        Cell{"modes 8 sigma apart, 70/30", 0.3, 8, 100}, Cell{"a mode of 5.5 %, 8 sigma", 0.055, 8, 79}}) {
    Rate found{.what = cell.what};
    for (std::uint64_t seed = 1; seed <= 1000; ++seed)
      found.add(modes(mixture(cell.share, cell.distance, seed)).modes.size() == 2);
    expect_power(found, cell.stated);
  }
}

TEST(OutlierDetection, LabelsAlmostNothingWhereNothingIsPlanted) {
  for (const Distribution& d : {kNormal, kLognormal, kExponential, kGamma, kTwoModes, kOneTick}) {
    const Outliers o = find_outliers(draw(d, 1000000, 1), d.tick);
    print(std::string("percent labelled: ") + d.name, 100 * o.share);
    EXPECT_LE(o.share, 0.001) << d.name;
  }
}

TEST(OutlierDetection, FindsDoubledSamples) {
  Random random(5);
  std::vector<double> x = draw(kNormal, 1000000, 2);
  std::vector<char> planted(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    if (random.uniform() < 0.01) {
      x[i] *= 2;
      planted[i] = 1;
    }
  Rate recall{.what = "doubled samples found"};
  std::vector<char> labelled(x.size());
  for (const std::uint32_t i : find_outliers(x).index) labelled[i] = 1;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (planted[i]) recall.add(labelled[i] != 0);
  expect_between(recall, 99, 100);
}

// Rounds of four passes: 80 retained samples in every 400.
std::vector<double> interleaved(const Process& p, std::size_t rounds_count, double transient, double tau,
                                std::uint64_t seed) {
  const auto wall = simulate(p, rounds_count * 400, seed);
  std::vector<double> x;
  for (std::size_t r = 0; r < rounds_count; ++r)
    for (std::size_t i = 20; i < 100; ++i)
      x.push_back(wall[r * 400 + i] * (1 + transient * std::exp(-static_cast<double>(i) / tau)));
  return x;
}

std::vector<std::uint32_t> interleaved_rounds(std::size_t rounds_count) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < 80 * rounds_count; ++i) out.push_back(static_cast<std::uint32_t>(i / 80));
  return out;
}

TEST(PassCouplingDetection, FindsLongTransientsAndAccusesNoCleanRun) {
  constexpr std::size_t kRounds = 25;
  const auto round = interleaved_rounds(kRounds);
  for (const Process& p : {kWhite, kAr50, kAr80}) {
    Rate alarms{.what = "false pass-coupling: " + name(p)};
    Rate found{.what = "10 % transient, tau 25 ms, found: " + name(p)};
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
      alarms.add(pass_coupling(Series{.values = interleaved(p, kRounds, 0, 1, seed), .round = round}).coupled);
      found.add(pass_coupling(Series{.values = interleaved(p, kRounds, 0.1, 25, seed), .round = round}).coupled);
    }
    expect_at_most(alarms, 0.5);
    expect_power(found, 100);
  }
}

TEST(Detectors, TogetherAccuseAtMostTwentyOfAThousandCleanRuns) {
  for (const std::size_t rounds_count : {12u, 25u}) {
    const auto round = interleaved_rounds(rounds_count);
    for (const Process& p : {kWhite, kAr50, kAr80}) {
      const std::string where = name(p) + ", " + std::to_string(rounds_count) + " rounds";
      Rate drift{.what = "drift: " + where}, shift{.what = "level-shift: " + where}, mode{.what = "bimodal: " + where};
      Rate outlier{.what = "outliers over 5 % of time: " + where}, coupling{.what = "pass-coupling: " + where},
          any{.what = "any: " + where};
      for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        const auto all = interleaved(p, rounds_count, 0, 1, seed);
        const Series whole{.values = all, .round = round};
        const Warmup w = find_warmup(whole);
        const Series s = from(whole, w.sample);
        const auto parts = batches(s.values.size(), s.round);
        std::vector<double> sorted(s.values.begin(), s.values.end());
        std::sort(sorted.begin(), sorted.end());
        const bool hits[] = {
            find_drift(log_medians(s.values, parts), parts).flagged,
            find_level_shifts(log_medians(s.values, blocks(s.values.size(), s.round))).kind != ShiftKind::none,
            find_modes(sorted, s).modes.size() > 1, find_outliers(s.values).time_share > 0.05,
            pass_coupling(s).coupled};
        Rate* rates[] = {&drift, &shift, &mode, &outlier, &coupling};
        for (std::size_t i = 0; i < std::size(hits); ++i) rates[i]->add(hits[i]);
        any.add(std::any_of(std::begin(hits), std::end(hits), [](bool h) { return h; }));
      }
      for (const Rate& r : {drift, shift, mode, outlier, coupling}) expect_at_most(r, 0.5);
      expect_at_most(any, 2);
    }
  }
}

}  // namespace
}  // namespace strobe::stats
