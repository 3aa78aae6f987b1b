// SPDX-License-Identifier: Apache-2.0
#include "host/sampler.h"

#include <limits>
#include <mutex>

#include <gtest/gtest.h>

#include "host/affinity.h"

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

TEST(HostSampler, TellsForHowMuchOfTheTimeACounterGrew) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  double grown = 5e9;
  const TelemetrySource device{.columns = {},
                               .read = [](std::span<double>) {},
                               .shares = {"slow_share", "idle_share", "whole_share", "unknown_share"},
                               .count =
                                   [&](std::span<double> row) {
                                     row[0] = grown;
                                     row[1] = 7e9;
                                     row[2] = 1e3 * grown;
                                     row[3] = unknown;
                                   }};
  const auto begin = std::chrono::steady_clock::now();
  HostSampler sampler(device, 10ms);
  std::this_thread::sleep_for(100ms);
  grown += 50e6;
  const Telemetry t = sampler.stop();
  const double all = to_double(std::chrono::steady_clock::now() - begin);
  EXPECT_LE(std::get<double>(t.facts.at("slow_share")), 0.51);
  EXPECT_GE(std::get<double>(t.facts.at("slow_share")), 0.99 * 50e6 / all);
  EXPECT_EQ(std::get<double>(t.facts.at("idle_share")), 0);
  EXPECT_EQ(std::get<double>(t.facts.at("whole_share")), 1);
  EXPECT_FALSE(t.facts.contains("unknown_share"));
}

TEST(HostSampler, KeepsItsThreadOnTheCpusThatItIsTold) {
  const std::vector<int> all = cpus_of_this_thread();
  std::mutex mutex;
  std::vector<int> theirs;
  const TelemetrySource source{.columns = {}, .read = [&](std::span<double>) {
                                 const std::lock_guard lock(mutex);
                                 theirs = cpus_of_this_thread();
                               }};
  HostSampler sampler(source, 5ms);
  const auto comes_to = [&](const std::vector<int>& cpus) {
    sampler.keep_on(cpus);
    for (int i = 0; i < 2000; ++i) {
      std::this_thread::sleep_for(5ms);
      const std::lock_guard lock(mutex);
      if (theirs == cpus) return true;
    }
    return false;
  };
  EXPECT_TRUE(comes_to({all.back()}));
  EXPECT_TRUE(comes_to(all));
  EXPECT_EQ(cpus_of_this_thread(), all);
  sampler.stop();
  sampler.keep_on({all.front()});  // too late for its thread, and nobody else's affair
  EXPECT_EQ(cpus_of_this_thread(), all);
}

TEST(HostSampler, MayBeDestroyedWithoutBeingAsked) {
  for (int i = 0; i < 20; ++i) HostSampler sampler({}, 1ms);
}

}  // namespace
}  // namespace strobe
