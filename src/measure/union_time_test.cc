// SPDX-License-Identifier: Apache-2.0
#include "measure/union_time.h"

#include <memory>

#include <gtest/gtest.h>

#include "stats/middle.h"
#include "testing/contended_lock.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

UnionTimes united(const char* text, nanoseconds typical) {
  SimulatedDevice device(parse_sim(text));
  SimulatedWorkload work(device);
  std::size_t request = 0;
  return union_times(work, typical, false, request);
}

TEST(UnionTime, IsWhatHostAndDeviceCoverTogether) {
  // Of 1,001 µs the host hands over for 10, which the device's own work covers but for the first launch.
  const UnionTimes busy = united("launch=1us,kernels=10x100us", 1ms);
  EXPECT_EQ(busy.why_not, "");
  EXPECT_EQ(busy.ns.size(), 200u);
  EXPECT_NEAR(stats::middle_of(busy.ns), 1'001'000, 1);
  // Launches take longer than kernels: the last kernel alone sticks out.
  EXPECT_NEAR(stats::middle_of(united("launch=50us,kernels=20x10us", 1ms).ns), 1'010'000, 1);
}

TEST(UnionTime, LeavesOutThatTheHostLearnsLateOfTheEndButForWhatItKnowsItMayBeOff) {
  const UnionTimes late = united("launch=1us,kernels=10x100us,sync=30us", 1ms);
  EXPECT_EQ(late.uncertainty, 15us);
  EXPECT_NEAR(stats::middle_of(late.ns), 1'001'000, to_double(late.uncertainty));
}

TEST(UnionTime, IsWithoutTheWaitForALock) {
  SimulatedDevice device(parse_sim("launch=1us,kernels=10x100us"));
  testing::LockedWork work(std::make_unique<SimulatedWorkload>(device));
  testing::ContendedLock lock(device.clock());
  const LendWhileWaiting lend(lock);
  std::size_t request = 0;
  EXPECT_NEAR(stats::middle_of(union_times(work, 1ms, false, request).ns), 1'001'000, 1);
}

TEST(UnionTime, IsRefusedWhereTheClocksCannotBeTied) {
  EXPECT_NE(united("launch=1us,kernels=1x100us,mark=9us,sync=9us", 100us).why_not.find("±"), std::string::npos);
  EXPECT_NE(united("launch=1us,kernels=1x1s", 1s).why_not.find("drift apart"), std::string::npos);
}

}  // namespace
}  // namespace strobe
