// SPDX-License-Identifier: Apache-2.0
#include "study/merge_idle.h"

#include <gtest/gtest.h>

#include "study/merge_launches.h"

namespace strobe {
namespace {

IdleResult after(double pause_ns, double latency, double difference) {
  IdleResult r{.pause_ns = pause_ns, .difference = difference};
  Metric& m = r.metrics["latency"];
  m.n = 20;
  m.estimate = {latency, 0.99 * latency, 1.01 * latency, true, {}};
  return r;
}

Record launch_with(std::vector<IdleResult> idle) {
  Record r;
  r.verb = "run";
  r.idle = std::move(idle);
  return r;
}

TEST(MergeIdle, GivesTheMedianLaunchWithAnIntervalForTheNext) {
  const auto all = merge_idle({launch_with({after(1e7, 1.4e6, 0.40)}), launch_with({after(1e7, 1.5e6, 0.48)}),
                               launch_with({after(1e7, 1.3e6, 0.31)})});
  ASSERT_EQ(all.size(), 1u);
  const Metric& m = all[0].metrics.at("latency");
  EXPECT_DOUBLE_EQ(m.estimate.value, 1.4e6);
  EXPECT_LT(*m.estimate.low, 1.3e6);
  EXPECT_GT(*m.estimate.high, 1.5e6);
  EXPECT_EQ(m.n, 60u);
  EXPECT_EQ(all[0].difference, 0.40);
}

TEST(MergeIdle, HoldsEachPauseApart) {
  const Record one = launch_with({after(1e7, 1e6, 0), after(1e9, 2e6, 1)});
  const auto all = merge_idle({one, one, one});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].metrics.at("latency").estimate.value, 1e6);
  EXPECT_EQ(all[1].metrics.at("latency").estimate.value, 2e6);
}

TEST(MergeIdle, KnowsNothingOfAPauseThatNotEveryLaunchReached) {
  const Record whole = launch_with({after(1e7, 1e6, 0), after(1e9, 2e6, 1)});
  const auto all = merge_idle({whole, launch_with({after(1e7, 1e6, 0)}), whole});
  EXPECT_TRUE(all[0].metrics.at("latency").known());
  EXPECT_EQ(all[1].metrics.at("latency").unknown, "not every launch could measure it");
  EXPECT_FALSE(all[1].difference);
}

TEST(MergeIdle, TellsHowAwakeTheMedianLaunchWas) {
  std::vector<Record> launches(3, launch_with({after(1e7, 1e6, 0)}));
  launches[0].idle[0].before = {345, 8, {}};
  launches[1].idle[0].before = {400, 5, {}};
  launches[2].idle[0].before = {1980, 0, {}};
  launches[1].idle[0].after.cpu_mhz = 2600;
  const IdleResult r = merge_idle(launches).at(0);
  EXPECT_EQ(r.before.device_mhz, 400);
  EXPECT_EQ(r.before.pstate, 5);
  EXPECT_FALSE(r.before.cpu_mhz);
  EXPECT_EQ(r.after.cpu_mhz, 2600);
}

TEST(MergeIdle, IsPartOfMergingLaunches) {
  const Record one = launch_with({after(1e7, 1e6, 0.25)});
  const Record whole = merge_launches({one, one, one}, 0.02);
  ASSERT_EQ(whole.idle.size(), 1u);
  EXPECT_EQ(whole.idle[0].metrics.at("latency").n, 60u);
  ASSERT_EQ(whole.launches.at(2).idle.size(), 1u);
  EXPECT_EQ(whole.launches[2].idle[0].metrics.at("latency").n, 20u);
}

}  // namespace
}  // namespace strobe
