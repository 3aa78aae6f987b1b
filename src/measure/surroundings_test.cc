// SPDX-License-Identifier: Apache-2.0
#include "measure/surroundings.h"

#include <gtest/gtest.h>

#include "device/inline_device.h"
#include "device/simulated/simulated_device.h"
#include "record/scalars.h"
#include "testing/gpu_by_name.h"

namespace strobe {
namespace {

TEST(Surroundings, OfASimulatedDeviceAreNotThisMachine) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us"));
  Surroundings around(device);
  around.look();
  around.beat();
  around.stays_on(0);
  around.begin_segment();
  around.end_segment("latency");
  around.look();
  Observations seen;
  around.observe(0ns, seen);
  EXPECT_FALSE(seen.disturbances);
  EXPECT_FALSE(seen.cpus);
  const Telemetry t = around.telemetry();
  EXPECT_TRUE(t.columns.empty());
  EXPECT_TRUE(t.facts.empty());
}

TEST(Surroundings, OfTheCpuAreItsTelemetryItsQuietAndWhatTheSystemDid) {
  InlineDevice cpu;
  Surroundings around(cpu);
  around.look();
  for (int i = 0; i < 3; ++i) around.beat();
  around.begin_segment();
  around.end_segment("latency");
  around.look();
  Observations seen;
  around.observe(0ns, seen);
  ASSERT_TRUE(seen.disturbances);
  EXPECT_GT(seen.disturbances->watched_ns, 0);
  ASSERT_TRUE(seen.cpus);
  EXPECT_FALSE(seen.cpus->passes.at("latency").empty());
  const Telemetry t = around.telemetry();
  EXPECT_TRUE(fact<double>(t.facts, "busy_share"));
  EXPECT_TRUE(fact<double>(t.facts, "canary_excess"));
}

TEST(Surroundings, OfAGpuHaveTheQuietOfItsHost) {
  testing::GpuByName gpu;
  Surroundings around(gpu);
  around.beat();
  const Telemetry t = around.telemetry();
  EXPECT_EQ(fact<double>(t.facts, "canary_excess"), 0.0);  // of a single one
  EXPECT_GT(fact<double>(t.facts, "canary_best_ns"), 0.0);
}

TEST(Surroundings, AreNotSampledOnceTheTelemetryHasEnded) {
  InlineDevice cpu;
  const nanoseconds begin = cpu.clock().now();
  Surroundings around(cpu);
  cpu.clock().sleep(250ms);
  around.end_telemetry();
  const nanoseconds end = cpu.clock().now();
  cpu.clock().sleep(250ms);
  const Telemetry t = around.telemetry();
  EXPECT_TRUE(fact<double>(t.facts, "busy_share"));
  ASSERT_FALSE(t.at_seconds.empty());
  EXPECT_LE(t.at_seconds.back(), to_seconds(end - begin));
}

TEST(Surroundings, SeeOnlyWhatTheSystemDidFromATimeOn) {
  InlineDevice cpu;
  Surroundings around(cpu);
  around.look();
  around.beat();  // half a millisecond
  const nanoseconds from = cpu.clock().now();
  around.look();
  around.look();
  Observations all, later;
  around.observe(0ns, all);
  around.observe(from, later);
  EXPECT_LT(later.disturbances->watched_ns, all.disturbances->watched_ns);
}

TEST(Surroundings, KeepTheMiddleClockOfEachMetric) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us"));
  Surroundings around(device);
  for (const double mhz : {1000.0, 1900.0, 1100.0}) around.add_counted("span", {mhz});
  around.add_counted("latency", {});  // the device did not tell
  Observations seen;
  around.observe(0ns, seen);
  EXPECT_EQ(seen.clocks_per_pass.at("span"), 1100);
  EXPECT_FALSE(seen.clocks_per_pass.contains("latency"));
}

TEST(Surroundings, TakeTheWorstOfSeveralOutputs) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us"));
  Surroundings around(device);
  around.add_outputs(std::nullopt);
  EXPECT_FALSE(around.outputs());
  OutputCheck good, bad;
  good.worst_difference = 0.2;
  bad.repeatable = false;
  bad.detail = "stage 'b'";
  around.add_outputs(good);
  around.add_outputs(bad);
  around.add_outputs(good);
  ASSERT_TRUE(around.outputs());
  EXPECT_FALSE(around.outputs()->repeatable);
  EXPECT_TRUE(around.outputs()->finite);
  EXPECT_EQ(around.outputs()->worst_difference, 0.2);
  EXPECT_EQ(around.outputs()->detail, "stage 'b'");
}

}  // namespace
}  // namespace strobe
