// SPDX-License-Identifier: Apache-2.0
#include "measure/calibration.h"

#include <gtest/gtest.h>

#include "device/simulated/simulated_device.h"
#include "testing/virtual_cpu.h"

namespace strobe {
namespace {

TEST(Calibration, TellsWhatAReadingOfTheClockCosts) {
  VirtualCpu cpu(25ns);
  const Calibration c = calibrate(cpu);
  EXPECT_EQ(c.at("clock_read_ns"), 25);
  EXPECT_EQ(c.at("clock_tick_ns"), 25);
}

TEST(Calibration, FindsTheStepsOfACoarseClock) {
  VirtualCpu cpu(10ns, 100ns);
  EXPECT_EQ(calibrate(cpu).at("clock_tick_ns"), 100);
}

TEST(Calibration, SaysNothingOfMarksWhereThereIsNoQueue) {
  VirtualCpu cpu(25ns);
  EXPECT_FALSE(calibrate(cpu).contains("mark_ns"));
}

TEST(Calibration, TellsWhatARequestCostsThatDoesNothing) {
  VirtualCpu cpu(25ns);
  EXPECT_DOUBLE_EQ(calibrate(cpu).at("empty_request_ns"), 0.025);  // a thousand of them, and one reading of the clock
  SimulatedDevice device(parse_sim("kernels=1x1us"));
  EXPECT_FALSE(calibrate(device).contains("empty_request_ns"));
}

TEST(Calibration, TellsTheHostsCostOfAMarkFromTheDevices) {
  SimulatedDevice device(parse_sim("kernels=1x1us,mark=3us,mark_gpu=1us,sync=5us,tick=500ns"));
  const Calibration c = calibrate(device);
  EXPECT_EQ(c.at("mark_ns"), 3'000);
  EXPECT_EQ(c.at("mark_pair_ns"), 1'000);  // queued whole: the host's 3 µs between them do not show
  EXPECT_EQ(c.at("mark_tick_ns"), 500);
  EXPECT_EQ(c.at("sync_ns"), 5'000);
  EXPECT_EQ(c.at("device_sync_ns"), 5'000);
}

}  // namespace
}  // namespace strobe
