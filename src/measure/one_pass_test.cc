// SPDX-License-Identifier: Apache-2.0
#include "measure/one_pass.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/inline_device.h"
#include "device/simulated/simulated_device.h"
#include "workload/builtin.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

TEST(OnePass, WarmsUpUnderTheSamePassWhereNobodySaysForHowLong) {
  SimulatedDevice device(parse_sim("kernels=20x5us,launch=4us,sync=6us"));
  SimulatedWorkload work(device);
  const Measurement m = measure_one_pass(work, {.pass = "latency"});
  ASSERT_EQ(m.passes.size(), 1u);
  EXPECT_EQ(m.passes.front().samples.size(), kRequestsOfOnePass);
  EXPECT_GE(m.cut.value(), 300ms);
  EXPECT_GE(m.passes.front().samples.front().begin, *m.cut);
  for (const Sample& s : m.passes.front().samples) EXPECT_EQ(s.done - s.begin, 110us);
  EXPECT_FALSE(m.gate.used);
  EXPECT_TRUE(m.calibration.empty());
}

TEST(OnePass, OfAFullQueueAndOfMarksReadsWhatTheRoundsRead) {
  SimulatedDevice device(parse_sim("kernels=20x5us,launch=4us,sync=6us,mark=1us"));
  SimulatedWorkload work(device);
  EXPECT_EQ(measure_one_pass(work, {.requests = 12, .pass = "span"}).passes.front().samples.front().device, 104us);
  const Measurement full = measure_one_pass(work, {.requests = 12, .pass = "period"});
  ASSERT_EQ(full.passes.front().windows.size(), 2u);  // of the soak, too
  EXPECT_GE(full.passes.front().windows.back().begin, *full.cut);
}

TEST(OnePass, ReplaysTheGraphWhereThatIsAskedFor) {
  SimulatedDevice device(parse_sim("kernels=20x5us,launch=4us,sync=6us"));
  SimulatedWorkload work(device);
  const Measurement m = measure_one_pass(work, {.requests = 10, .pass = "latency", .graph = true});
  EXPECT_EQ(m.passes.front().pass.metric, "replay_latency");
  EXPECT_LT(m.passes.front().samples.front().submitted - m.passes.front().samples.front().begin, 10us);
  EXPECT_THROW(measure_one_pass(work, {.pass = "span", .graph = true}), Error);
}

TEST(OnePass, IsRefusedWhereTheDeviceHasNoSuchPass) {
  InlineDevice device;
  const auto work = make_builtin("null", device);
  EXPECT_THROW(measure_one_pass(*work, {.pass = "span"}), Error);
  EXPECT_THROW(measure_one_pass(*work, {.pass = "device_time"}), Error);
}

}  // namespace
}  // namespace strobe
