// SPDX-License-Identifier: Apache-2.0
#include "host/sampler.h"

#include <limits>

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(CpuTimes, KnowsBusyIdleAndStolenTime) {
  const CpuTimes t = parse_cpu_times("cpu  100 10 20 800 50 5 5 10 0 0");
  EXPECT_EQ(t.busy, 140u);
  EXPECT_EQ(t.steal, 10u);
  EXPECT_EQ(t.total, 1000u);
  EXPECT_EQ(parse_cpu_times("").total, 0u);
  EXPECT_EQ(parse_cpu_times("garbage here").total, 0u);
}

TEST(HostSampler, FillsItsColumnsEvenlyAndEndsAtOnce) {
  HostSampler sampler({}, 10ms);
  std::this_thread::sleep_for(150ms);
  const auto begin = std::chrono::steady_clock::now();
  const Telemetry t = sampler.stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s);
  EXPECT_GE(t.at_seconds.size(), 2u);
  for (const auto& [name, column] : t.columns) EXPECT_EQ(column.size(), t.at_seconds.size()) << name;
  EXPECT_TRUE(t.facts.contains("steal_share"));
}

TEST(HostSampler, LeavesOutTheSamplesThatLackAValueAndNotTheColumn) {
  int reads = 0;
  const TelemetrySource device{{"power_w", "never"}, [&](std::span<double> row) {
                                 const double unknown = std::numeric_limits<double>::quiet_NaN();
                                 row[0] = ++reads == 2 ? unknown : reads;
                                 row[1] = unknown;
                               }};
  HostSampler sampler(device, 10ms);
  std::this_thread::sleep_for(250ms);
  const Telemetry t = sampler.stop();
  ASSERT_GE(reads, 4);
  EXPECT_EQ(t.at_seconds.size(), static_cast<std::size_t>(reads) - 1);
  ASSERT_EQ(t.columns.count("power_w"), 1u);
  EXPECT_EQ(t.columns.at("power_w")[1], 3);
  EXPECT_FALSE(t.columns.contains("never"));
  for (const auto& [name, column] : t.columns) EXPECT_EQ(column.size(), t.at_seconds.size()) << name;
}

TEST(HostSampler, MayBeDestroyedWithoutBeingAsked) {
  for (int i = 0; i < 20; ++i) HostSampler sampler({}, 1ms);
}

}  // namespace
}  // namespace strobe
