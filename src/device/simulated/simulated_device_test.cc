// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/simulated_device.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

struct Sim {
  explicit Sim(const char* text) : device(parse_sim(text)), stream(device) { stream.reserve(16); }
  nanoseconds now() { return device.clock().now(); }
  void kernels(int n, nanoseconds host, nanoseconds work) {
    for (int i = 0; i < n; ++i) stream.launch_kernel(host, work);
  }
  SimulatedDevice device;
  SimulatedStream stream;
};

TEST(SimulatedStream, StampsAMarkOnAnIdleStreamWhenItIsRecorded) {
  Sim s("kernels=1us");
  s.device.clock().sleep(10us);
  const Mark a = s.stream.mark();
  s.device.clock().sleep(5us);
  const Mark b = s.stream.mark();
  EXPECT_EQ(s.stream.between(a, b), 5us);
}

TEST(SimulatedStream, CountsTheLaunchesWhenTheHostIsSlower) {
  Sim s("kernels=1us");
  const Mark a = s.stream.mark();
  s.kernels(20, 5us, 1us);
  const Mark b = s.stream.mark();
  EXPECT_EQ(s.now(), 100us);
  s.stream.wait(b);
  EXPECT_EQ(s.now(), 101us);
  EXPECT_EQ(s.stream.between(a, b), 101us);
}

TEST(SimulatedStream, RunsKernelsBackToBackWhenTheDeviceIsSlower) {
  Sim s("kernels=1us");
  const Mark a = s.stream.mark();
  s.kernels(20, 1us, 5us);
  const Mark b = s.stream.mark();
  s.stream.synchronize();
  EXPECT_EQ(s.stream.between(a, b), 1us + 20 * 5us);
}

TEST(SimulatedGate, HoldsWhatIsQueuedAfterItUntilItOpens) {
  Sim s("kernels=1us");
  Gate gate = s.device.hold(s.stream, {});
  const Mark a = s.stream.mark();
  s.kernels(20, 5us, 1us);
  const Mark b = s.stream.mark();
  gate.open();
  s.stream.wait(b);
  EXPECT_FALSE(gate.tripped());
  EXPECT_EQ(s.stream.between(a, b), 20us);
  EXPECT_EQ(s.now(), 120us);
}

TEST(SimulatedGate, DoesNotHoldWhatWasQueuedBefore) {
  Sim s("kernels=1us");
  s.kernels(1, 0ns, 10us);
  const Mark before = s.stream.mark();
  Gate gate = s.device.hold(s.stream, {});
  s.stream.wait(before);
  EXPECT_EQ(s.now(), 10us);
  EXPECT_FALSE(gate.tripped());
}

TEST(SimulatedGate, TripsInsteadOfHangingWhenSomebodyWaitsBehindIt) {
  Sim s("kernels=1us");
  Gate gate = s.device.hold(s.stream, {});
  s.kernels(1, 0ns, 10us);
  s.stream.synchronize();
  EXPECT_TRUE(gate.tripped());
}

TEST(SimulatedGate, AnotherStreamGoesOn) {
  Sim s("kernels=1us");
  SimulatedStream other(s.device);
  Gate gate = s.device.hold(s.stream, {});
  other.launch_kernel(0ns, 3us);
  const Mark m = other.mark();
  other.wait(m);
  EXPECT_EQ(s.now(), 3us);
  EXPECT_FALSE(gate.tripped());
}

TEST(SimulatedStream, CanWaitForAMarkOfAnotherStreamWithoutTheHost) {
  Sim s("kernels=1us");
  SimulatedStream other(s.device);
  s.kernels(1, 0ns, 50us);
  const Mark m = s.stream.mark();
  other.after(s.stream, m);
  const Mark from = other.mark();
  other.launch_kernel(0ns, 5us);
  EXPECT_EQ(s.now(), 0ns);
  const Mark to = other.mark();
  other.wait(to);
  EXPECT_EQ(s.now(), 55us);
  EXPECT_EQ(other.between(from, to), 5us);
}

TEST(SimulatedStream, AWaitAcrossStreamsBehindAGateResolvesWhenItOpens) {
  Sim s("kernels=1us");
  SimulatedStream other(s.device);
  Gate gate = s.device.hold(s.stream, {});
  s.kernels(1, 0ns, 7us);
  other.after(s.stream, s.stream.mark());
  other.launch_kernel(0ns, 2us);
  const Mark end = other.mark();
  s.device.clock().sleep(100us);
  gate.open();
  other.wait(end);
  EXPECT_EQ(s.now(), 109us);
}

TEST(SimulatedStream, AGraphCostsOneLaunch) {
  Sim s("kernels=1us");
  const std::vector<nanoseconds> kernels(20, 1us);
  const Mark a = s.stream.mark();
  s.stream.launch_graph(5us, kernels);
  const Mark b = s.stream.mark();
  s.stream.wait(b);
  EXPECT_EQ(s.stream.between(a, b), 25us);
}

TEST(SimulatedStream, MarksCostWhatIsSaidAndTickAsSaid) {
  Sim s("mark=2us,mark_gpu=3us,sync=4us,tick=1us,kernels=1us");
  const Mark a = s.stream.mark();
  const Mark b = s.stream.mark();
  EXPECT_EQ(s.now(), 4us);
  s.stream.wait(b);
  EXPECT_EQ(s.now(), 8us + 4us);
  EXPECT_EQ(s.stream.between(a, b), 3us);
}

TEST(SimulatedStream, ReadingAMarkThatWasNotReachedIsAnError) {
  Sim s("kernels=1us");
  const Mark a = s.stream.mark();
  s.kernels(1, 0ns, 10us);
  const Mark b = s.stream.mark();
  try {
    s.stream.between(a, b);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::invalid_method);
  }
}

TEST(SimulatedDevice, SynchronizeWaitsForEveryStream) {
  Sim s("kernels=1us");
  SimulatedStream other(s.device);
  other.launch_kernel(0ns, 40us);
  s.kernels(1, 0ns, 10us);
  s.device.synchronize();
  EXPECT_EQ(s.now(), 40us);
}

}  // namespace
}  // namespace strobe
