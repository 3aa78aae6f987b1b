// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/simulated_device.h"

#include <vector>

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

TEST(SimulatedStream, PausesAfterEachKernelThatTheHostLaunchesAndNotWithinAGraph) {
  Sim s("kernels=1us,pause=2us");
  const Mark a = s.stream.mark();
  s.kernels(10, 0us, 5us);
  const Mark b = s.stream.mark();
  const std::vector<nanoseconds> graph(10, 5us);
  s.stream.launch_graph(0us, graph);
  const Mark c = s.stream.mark();
  s.stream.synchronize();
  EXPECT_EQ(s.stream.between(a, b), 70us);
  EXPECT_EQ(s.stream.between(b, c), 50us);
}

TEST(SimulatedStream, HasOneOfTwoLevelsWhichEachProcessDraws) {
  std::size_t slow = 0;
  for (std::uint64_t launch = 0; launch < 200; ++launch) {
    SimParameters p = parse_sim("kernels=1us,pause=1us,slow_streams=1.1@0.3");
    p.launch = launch;
    SimulatedDevice device(p);
    SimulatedStream own(device), other(device);
    EXPECT_EQ(own.pause(), other.pause());
    slow += own.pause() == 1100ns;
    EXPECT_EQ(device.kernel_pause(*device.stream_at(StreamLevel::slow)), 1100);
    EXPECT_EQ(device.kernel_pause(*device.stream_at(StreamLevel::fast)), 1000);
    EXPECT_EQ(device.stream_levels().count(StreamLevel::slow), 6u);  // of 20
  }
  EXPECT_NEAR(static_cast<double>(slow), 60, 20);  // 3 standard deviations
}

TEST(SimulatedStream, IsLikeAllOthersWhereNobodySaysOtherwise) {
  SimulatedDevice plain(parse_sim("kernels=1us")), alike(parse_sim("kernels=1us,pause=1us"));
  EXPECT_FALSE(plain.kernel_pause(*plain.stream()));
  EXPECT_EQ(alike.kernel_pause(*alike.stream()), 1000);
  for (SimulatedDevice* device : {&plain, &alike}) EXPECT_FALSE(device->stream_at(StreamLevel::fast));
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

TEST(SimulatedDevice, HasACacheToFlushWhereItsParametersSaySo) {
  Sim without("kernels=1us"), with("kernels=1us,cache=2MB,input=1MB,miss=1us");
  EXPECT_FALSE(without.device.can().flush);
  EXPECT_FALSE(without.device.last_level_cache());
  EXPECT_THROW(without.device.flush_cache(without.stream), Error);
  EXPECT_TRUE(with.device.can().flush);
  EXPECT_EQ(with.device.last_level_cache(), Bytes{2'000'000});
  const std::size_t input = with.device.input_cache().make(1);
  EXPECT_FALSE(with.device.input_cache().read(input));
  EXPECT_TRUE(with.device.input_cache().read(input));
  with.device.flush_cache(with.stream);
  EXPECT_FALSE(with.device.input_cache().read(input));
  EXPECT_EQ(with.now(), 0ns);
}

// From the end of a kernel of 10 µs until one of 1 µs is done that is queued after a pause.
nanoseconds after_a_pause(const char* text, nanoseconds pause) {
  Sim s(text);
  s.kernels(1, 0ns, 10us);
  s.stream.synchronize();
  const nanoseconds before = s.now();
  s.device.clock().sleep(pause);
  s.kernels(1, 0ns, 1us);
  s.stream.synchronize();
  return s.now() - before - pause;
}

TEST(SimulatedDevice, NeedsTimeToWakeOnceItHasHadNoWorkForLongEnough) {
  constexpr const char* kSleepy = "kernels=1us,sleep_after=5ms,wake=300us";
  EXPECT_EQ(after_a_pause(kSleepy, 4'999'999ns), 1us);
  EXPECT_EQ(after_a_pause(kSleepy, 5ms), 301us);
  EXPECT_EQ(after_a_pause(kSleepy, 1s), 301us);
  EXPECT_EQ(after_a_pause("kernels=1us", 1s), 1us);
}

TEST(SimulatedDevice, WakesOnceForAllThatWasQueuedMeanwhile) {
  Sim s("kernels=1us,sleep_after=5ms,wake=300us");
  s.device.clock().sleep(10ms);
  const nanoseconds begin = s.now();
  s.kernels(20, 5us, 1us);
  s.stream.synchronize();
  EXPECT_EQ(s.now() - begin, 5us + 300us + 20us);
}

TEST(SimulatedDevice, IsNotWokenByMarks) {
  Sim s("kernels=1us,sleep_after=5ms,wake=300us");
  s.device.clock().sleep(10ms);
  s.stream.wait(s.stream.mark());
  EXPECT_EQ(s.now(), 10ms);
  EXPECT_EQ(s.device.power_state().level, 8);
  s.kernels(1, 0ns, 1us);
  s.stream.synchronize();
  EXPECT_EQ(s.now(), 10ms + 301us);
  EXPECT_EQ(s.device.power_state().level, 0);
}

TEST(SimulatedDevice, ThatNeverSleepsHasNoPowerStates) {
  EXPECT_FALSE(Sim("kernels=1us").device.power_state().level);
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
