// SPDX-License-Identifier: Apache-2.0
#include "study/selftest/launch_rates.h"

#include <initializer_list>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "study/merge_launches.h"

namespace strobe {
namespace {

// Five launches around this value, relative distances as given.
Record run_around(double value, std::initializer_list<double> off) {
  std::vector<Record> launches;
  for (const double x : off) {
    Record r;
    r.verb = "run";
    Metric& m = r.metrics["device_time"];
    m.n = 100;
    const double y = value * (1 + x);
    m.estimate = {y, 0.9999 * y, 1.0001 * y, true, {}};
    launches.push_back(std::move(r));
  }
  return merge_launches(std::move(launches), 0.02);
}

// Whose next launch lies within 0.3 %.
Record steady_run() {
  return run_around(1e6, {0, 0.001, -0.001, 0.0005, -0.0005});
}

TEST(LaunchRates, CountTheLaunchesOfTheNextRunThatAreInside) {
  const LaunchRates r = tally(steady_run(), run_around(1e6, {0, 0.05, -0.05, 0.001, -0.001}), {"", "", 0.01});
  EXPECT_EQ(r.runs, 1u);
  EXPECT_EQ(r.launches, 5u);
  EXPECT_EQ(r.inside, 3u);
  EXPECT_EQ(r.repeats, 1u);
  EXPECT_EQ(r.not_repeated, 0u);
  EXPECT_EQ(r.steady, 0u);
}

TEST(LaunchRates, CountARunThatSaidItRepeatsAndDidNot) {
  LaunchRates r = tally(steady_run(), run_around(1.036e6, {0, 0.001, -0.001, 0, 0}), {"", "", 0.01});
  EXPECT_EQ(r.not_repeated, 1u);
  r += tally(steady_run(), steady_run(), {"", "", 0.01});
  EXPECT_EQ(r.repeats, 2u);
  EXPECT_EQ(r.not_repeated, 1u);
  EXPECT_EQ(r.runs, 2u);
}

TEST(LaunchRates, CountARunThatVariesWhereProcessesAgree) {
  const Record wild = run_around(1e6, {0, 0.05, -0.05, 0.02, -0.02});
  EXPECT_EQ(tally(wild, steady_run(), {"", "", 0.0005}).called_unsteady, 1u);
  EXPECT_EQ(tally(wild, steady_run(), {"", "", 0.002}).called_unsteady, 0u);
  EXPECT_EQ(tally(steady_run(), wild, {"", "", 0.0005}).called_unsteady, 0u);
  EXPECT_EQ(tally(wild, steady_run(), {"", "", 0.0005}).repeats, 0u);
}

TEST(LaunchRates, AreOfProcessesThatDrawWhatTheirEffectSays) {
  for (const DrawnEffect& effect : drawn_effects()) {
    const Record r = simulated_run(effect, 11), other = simulated_run(effect, 12);
    ASSERT_EQ(r.launches.size(), 5u) << effect.name;
    const Metric& m = r.metrics.at("device_time");
    EXPECT_NEAR(*m.launch_spread, effect.spread, 0.006 + 0.5 * effect.spread) << effect.name;
    EXPECT_NE(m.estimate.value, other.metrics.at("device_time").estimate.value) << effect.name;
  }
}

TEST(LaunchRates, OfStreamsKnowTheirLevels) {
  const Record r = simulated_run(drawn_effects().back(), 11);
  const Metric& m = r.metrics.at("device_time");
  ASSERT_EQ(m.levels.size(), 2u);
  EXPECT_EQ(m.levels[0].stream, "fast");
  EXPECT_EQ(m.levels[0].launches, 3u);
  EXPECT_NEAR(m.levels[1].value / m.levels[0].value, 1.035, 0.01);
}

TEST(WordOfCompare, TellsAMachineThatIsSlowerFromItsEqual) {
  const DrawnEffect& none = drawn_effects().front();
  EXPECT_EQ(word_of_compare(none, 0, 1), "equivalent");
  EXPECT_EQ(word_of_compare(none, 0.03, 1), "slower");
  EXPECT_EQ(word_of_compare(none, -0.03, 1), "faster");
}

}  // namespace
}  // namespace strobe
