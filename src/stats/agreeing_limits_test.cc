// SPDX-License-Identifier: Apache-2.0
#include "stats/agreeing_limits.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "stats/quantile_estimate.h"
#include "stats/summary.h"
#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

TEST(AgreeingLimits, ComeFromTheNeighbourWhereItKnowsMore) {
  Estimate median{35.3, 32.3, 564.3}, p90{41.7, 30, 45.1}, p99{60, std::nullopt, std::nullopt};
  const std::array all{&median, &p90, &p99};
  make_limits_agree<Estimate>(all);
  EXPECT_EQ(median.high, 45.1);
  EXPECT_EQ(p90.low, 32.3);
  EXPECT_EQ(p99.low, 32.3);
  EXPECT_FALSE(p99.high);
}

TEST(AgreeingLimits, LeaveThoseAloneThatDoNotContradict) {
  Estimate median{10, 9, 11}, p90{12, 11, 13};
  const std::array all{&median, &p90};
  make_limits_agree<Estimate>(all);
  EXPECT_EQ(median.low, 9);
  EXPECT_EQ(median.high, 11);
  EXPECT_EQ(p90.low, 11);
  EXPECT_EQ(p90.high, 13);
}

// What a short model on a busy machine looks like: two speeds for long, and a heavy tail that comes at any time.
constexpr Process kTwoSpeedsAndATail{.name = "two speeds and a tail",
                                     .sd = 0.01,
                                     .outlier_share = 0.05,
                                     .gap = 0.03,
                                     .dwell_fast = 300,
                                     .dwell_slow = 300};

bool rise(std::optional<double>& before, const std::optional<double>& next, double unset) {
  const bool ok = before.value_or(unset) <= next.value_or(unset);
  before = next;
  return ok;
}

// The median and the percentiles that are shown.
bool agree(const Estimate& median, const std::vector<Percentile>& percentiles) {
  std::optional<double> low = median.low, high = median.high;
  bool ok = true;
  for (const Percentile& p : percentiles) {
    if (p.needs) continue;
    ok = rise(low, p.estimate.low, -INFINITY) && ok;
    ok = rise(high, p.estimate.high, INFINITY) && ok;
  }
  return ok;
}

Summary without_the_rule(const std::vector<double>& x, const std::vector<double>& levels) {
  std::vector<double> sorted = x;
  std::sort(sorted.begin(), sorted.end());
  const auto parts = batches(x.size(), {});
  Summary s;
  s.median = estimate_quantile(x, sorted, parts, 0.5).estimate;
  for (const double p : levels) {
    const QuantileEstimate q = estimate_quantile(x, sorted, parts, p);
    s.percentiles.push_back({p, q.estimate, q.size, supported(q) ? std::nullopt : std::optional<std::size_t>(1)});
  }
  return s;
}

TEST(AgreeingLimits, HoldForEveryProcessAndAreNeeded) {
  const std::vector<double> levels{0.9, 0.95, 0.99, 0.999};
  std::vector<Process> all(processes().begin(), processes().end());
  all.push_back(kTwoSpeedsAndATail);
  std::size_t contradictions = 0;
  for (const Process& process : all) {
    for (const std::size_t n : {60u, 300u, 1000u, 4000u}) {
      for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const auto x = simulate(process, n, seed);
        const Summary s = summarize(Series{.values = x}, {.percentiles = levels, .pictures = false});
        EXPECT_TRUE(agree(s.median, s.percentiles)) << process.name << ", n " << n << ", seed " << seed;
        const Summary raw = without_the_rule(x, levels);
        contradictions += agree(raw.median, raw.percentiles) ? 0 : 1;
      }
    }
  }
  EXPECT_GE(contradictions, 5u);
}

struct Covered {
  int alone = 0, shown = 0;
};

Covered median_and_p90_covered(const Process& process, std::size_t n, std::uint64_t series) {
  const std::vector<double> levels{0.9, 0.99};
  Covered c;
  const auto holds = [](const Estimate& e, double truth) { return e.low <= truth && (!e.high || truth <= *e.high); };
  const double median = true_quantile(process, 0.5), p90 = true_quantile(process, 0.9);
  for (std::uint64_t seed = 0; seed < series; ++seed) {
    const auto x = simulate(process, n, seed);
    const Summary raw = without_the_rule(x, levels);
    const Summary s = summarize(Series{.values = x}, {.percentiles = levels, .pictures = false});
    c.alone += holds(raw.median, median) + holds(raw.percentiles[0].estimate, p90);
    c.shown += holds(s.median, median) + holds(s.percentiles[0].estimate, p90);
  }
  return c;
}

TEST(AgreeingLimits, CostNoCoverage) {
  constexpr std::uint64_t kSeries = 200;
  for (const Process& process : {kSlowBistable, kTwoSpeedsAndATail}) {
    const Covered c = median_and_p90_covered(process, 1000, kSeries);
    EXPECT_GE(c.shown, c.alone - static_cast<int>(2 * kSeries / 100)) << process.name;
  }
}

TEST(AgreeingLimits, HoldInWhicheverOrderPercentilesAreAskedFor) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto x = simulate(kTwoSpeedsAndATail, 1000, seed);
    Summary s = summarize(Series{.values = x}, {.percentiles = {0.99, 0.9}, .pictures = false});
    std::swap(s.percentiles[0], s.percentiles[1]);
    EXPECT_TRUE(agree(s.median, s.percentiles)) << seed;
  }
}

}  // namespace
}  // namespace strobe::stats
