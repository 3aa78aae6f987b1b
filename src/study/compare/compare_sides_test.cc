// SPDX-License-Identifier: Apache-2.0
#include "study/compare/compare_sides.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace strobe {
namespace {

// Latencies with a tail: log-normal, spread 20 %, times what the launch draws.
Side side_with_tail(const std::string& name, double scale, Random& random) {
  Side side;
  side.name = name;
  for (std::size_t pair = 0; pair < 8; ++pair) {
    const double launch = scale * std::exp(0.01 * random.normal());
    SideLaunch l;
    for (int turn = 0; turn < 4; ++turn) {
      TurnReading reading{launch, {}};
      for (int i = 0; i < 50; ++i) reading.samples.push_back(launch * std::exp(0.2 * random.normal()));
      l.turns.push_back({{"latency", reading}});
      l.at_seconds.push_back(static_cast<double>(pair));
    }
    side.launches.push_back(std::move(l));
  }
  return side;
}

Record compared_tails(double ratio, std::uint64_t seed) {
  Random random(seed);
  std::vector<Side> sides;
  sides.push_back(side_with_tail("a", 1, random));
  sides.push_back(side_with_tail("b", ratio, random));
  ComparePlan o;
  o.fail_on = {parse_fail_on("p99=5%")};
  Record r;
  compare_sides(sides, o, r);
  return r;
}

TEST(CompareSides, ComparesPercentilesByPairs) {
  constexpr int kRuns = 60;
  int wrong = 0, found = 0, covered = 0;
  for (int k = 0; k < kRuns; ++k) {
    const auto percentile = [](const Record& r) { return r.comparisons.back(); };
    const Comparison equal = percentile(compared_tails(1, static_cast<std::uint64_t>(k))),
                     slower = percentile(compared_tails(1.3, static_cast<std::uint64_t>(1000 + k)));
    ASSERT_EQ(equal.percentile, 0.99);
    wrong += equal.outcome == "faster" || equal.outcome == "slower";
    found += slower.outcome == "slower";
    covered += *slower.ratio.low <= 1.3 && 1.3 <= *slower.ratio.high;
  }
  EXPECT_LE(wrong, 3);
  EXPECT_GE(found, 57);
  EXPECT_GE(covered, 53);
}

TEST(CompareSides, ReportsTheMedianLaunchWithAnIntervalForTheNext) {
  const Record r = compared_tails(1, 1);
  const Estimate& e = r.cases[0].metrics.at("latency").estimate;
  EXPECT_NEAR(e.value, 1, 0.02);
  ASSERT_TRUE(e.bounded());
  EXPECT_GT(*e.high - *e.low, 0.02) << "launches scatter by 1 %";
}

TEST(CompareSides, SumsWhatTheOperatingSystemDid) {
  std::optional<Disturbances> sum;
  Disturbances d;
  d.watched_ns = 1e9;
  d.preemptions = 3;
  d.waited_ns = 5;
  add(d, sum);
  d.waited_ns.reset();
  add(d, sum);
  EXPECT_EQ(sum->watched_ns, 2e9);
  EXPECT_EQ(sum->preemptions, 6u);
  EXPECT_FALSE(sum->waited_ns) << "one of them does not know";
}

}  // namespace
}  // namespace strobe
