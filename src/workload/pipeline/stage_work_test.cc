// SPDX-License-Identifier: Apache-2.0
#include "workload/pipeline/stage_work.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

CopyTask copy(CopyTask::Direction direction, bool pinned = true) {
  CopyTask task;
  task.direction = direction;
  task.bytes = Bytes{1 << 20};
  task.pinned = pinned;
  return task;
}

struct Simulated {
  explicit Simulated(const char* text) : device(parse_sim(text)), stream(device) {}

  // When the device has done it, and when the host could go on.
  std::pair<nanoseconds, nanoseconds> time_of(Workload& work) {
    const nanoseconds begin = device.clock().now();
    work.submit(0);
    const nanoseconds returned = device.clock().now() - begin;
    stream.synchronize();
    return {device.clock().now() - begin, returned};
  }

  SimulatedDevice device;
  SimulatedStream stream;
};

TEST(SimulatedCopy, TakesTheTimeOfItsDirection) {
  Simulated s("copy_in=30us,copy_out=7us");
  SimulatedCopy in(copy(CopyTask::Direction::in), s.device, s.stream),
      out(copy(CopyTask::Direction::out), s.device, s.stream);
  EXPECT_EQ(s.time_of(in).first, 30us);
  EXPECT_EQ(s.time_of(out).first, 7us);
}

TEST(SimulatedCopy, KeepsTheHostOnlyWhereTheMemoryIsPageable) {
  Simulated s("copy_in=30us");
  SimulatedCopy pinned(copy(CopyTask::Direction::in), s.device, s.stream),
      pageable(copy(CopyTask::Direction::in, false), s.device, s.stream);
  EXPECT_EQ(s.time_of(pinned).second, 0us);
  EXPECT_EQ(s.time_of(pageable).second, 30us);
}

TEST(SimulatedCopy, IsRefusedWhereItWouldTakeNoTime) {
  Simulated s("copy_in=30us");
  EXPECT_THROW(SimulatedCopy(copy(CopyTask::Direction::out), s.device, s.stream), Error);
}

TEST(SimulatedKernels, CostTheLaunchOfTheirStageElseThatOfTheDevice) {
  Simulated s("launch=5us,kernels=1x1us");
  SimulatedTask task;
  task.work.kernels = {{4, 1us}};
  SimulatedKernels usual(task, s.device, s.stream);
  EXPECT_EQ(s.time_of(usual).second, 20us);
  task.own_kernel_launch = true;
  task.work.kernel_launch = 2us;
  SimulatedKernels own(task, s.device, s.stream);
  EXPECT_EQ(s.time_of(own).second, 8us);
}

}  // namespace
}  // namespace strobe
