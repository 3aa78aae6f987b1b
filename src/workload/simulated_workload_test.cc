// SPDX-License-Identifier: Apache-2.0
#include "workload/simulated_workload.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

struct Sim {
  explicit Sim(const char* text) : device(parse_sim(text)), work(device) { work.stream().reserve(8); }
  SimulatedDevice device;
  SimulatedWorkload work;
};

TEST(SimulatedWorkload, PaysOneLaunchPerKernel) {
  Sim s("launch=5us,kernels=20x1us+2x50us");
  s.work.submit(0);
  EXPECT_EQ(s.device.clock().now(), 110us);
  s.work.stream().synchronize();
  EXPECT_EQ(s.device.clock().now(), 105us + 50us + 50us);
}

TEST(SimulatedWorkload, ReplaysAllKernelsWithOneLaunch) {
  Sim s("launch=5us,kernels=20x1us");
  const Replay replay = s.work.replay();
  ASSERT_TRUE(replay.workload);
  replay.workload->submit(0);
  EXPECT_EQ(s.device.clock().now(), 5us);
  replay.workload->stream().synchronize();
  EXPECT_EQ(s.device.clock().now(), 25us);
}

TEST(SimulatedWorkload, PutsEscapingWorkWhereNoMarkOfItsStreamSeesIt) {
  Sim s("kernels=1x10us,escape=100us");
  const Mark a = s.work.stream().mark();
  s.work.submit(0);
  const Mark b = s.work.stream().mark();
  s.work.stream().wait(b);
  EXPECT_EQ(s.work.stream().between(a, b), 10us);
  s.device.synchronize();
  EXPECT_EQ(s.device.clock().now(), 100us);
}

TEST(SimulatedWorkload, WaitsForLeakingWorkWhichNoGateHolds) {
  Sim s("launch=1us,kernels=4x10us,leak=100us");
  Stream& stream = s.work.stream();
  Gate gate = s.device.hold(stream, {});
  const Mark a = stream.mark();
  s.work.submit(0);  // its side stream begins after 1 µs, and the host is done after 5 µs
  const Mark b = stream.mark();
  gate.open();
  stream.wait(b);
  EXPECT_EQ(stream.between(a, b), 96us);
  EXPECT_FALSE(s.work.replay().workload);
}

TEST(SimulatedWorkload, AHiddenSynchronisationBlocksSubmitAndCapture) {
  Sim s("kernels=4x10us,hidden_sync=1");
  s.work.submit(0);
  EXPECT_EQ(s.device.clock().now(), 20us);
  EXPECT_FALSE(s.work.replay().workload);
}

TEST(SimulatedWorkload, OnlyTheFirstRequestIsSlow) {
  Sim s("launch=1us,kernels=1x1us,first=5ms");
  s.work.submit(0);
  EXPECT_EQ(s.device.clock().now(), 5ms + 1us);
  s.work.submit(1);
  EXPECT_EQ(s.device.clock().now(), 5ms + 2us);
}

TEST(SimulatedWorkload, CopiesOnlyWhenThereIsSomethingToCopy) {
  Sim s("kernels=1x1us,copy_in=3us");
  EXPECT_EQ(s.work.copy_in(0, s.work.stream(), HostMemory::pinned), 3000u);
  EXPECT_EQ(s.work.copy_out(0, s.work.stream(), HostMemory::pinned), 0u);
  EXPECT_EQ(s.device.clock().now(), 0us);  // the host does not wait
  s.work.stream().synchronize();
  EXPECT_EQ(s.device.clock().now(), 3us);
  EXPECT_EQ(s.work.copy_in(0, s.work.stream(), HostMemory::pageable), 3000u);
  EXPECT_EQ(s.device.clock().now(), 6us);  // here it does
}

}  // namespace
}  // namespace strobe
