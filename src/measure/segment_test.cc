// SPDX-License-Identifier: Apache-2.0
#include "measure/segment.h"

#include <memory>

#include <gtest/gtest.h>

#include "device/inline_device.h"
#include "testing/conductors.h"
#include "testing/contended_lock.h"
#include "workload/callable.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

struct Fixture {
  explicit Fixture(const char* text) : device(parse_sim(text)), work(device) {}
  Samples run(const Pass& pass, const SegmentPlan& plan, Conductor& conductor = alone) {
    Samples samples;
    result = run_segment(work, pass, plan, conductor, request, samples);
    return samples;
  }
  SimulatedDevice device;
  SimulatedWorkload work;
  std::size_t request = 0;
  SegmentResult result;
};

SegmentPlan exactly(std::size_t n) {
  SegmentPlan p;
  p.settle_requests = 2;
  p.least = p.most = n;
  return p;
}

// Writes down which request each call was for.
class Recorder final : public Workload {
 public:
  explicit Recorder(SimulatedDevice& device) : work_(device) {}
  void submit(std::size_t request) override {
    submitted.push_back(request);
    work_.submit(request);
  }
  std::size_t copy_in(std::size_t request, Stream& on, HostMemory memory) override {
    copied_in.push_back(request);
    return work_.copy_in(request, on, memory);
  }
  std::size_t copy_out(std::size_t request, Stream& on, HostMemory memory) override {
    copied_out.push_back(request);
    return work_.copy_out(request, on, memory);
  }
  Stream& stream() override { return work_.stream(); }

  std::vector<std::size_t> submitted, copied_in, copied_out;

 private:
  SimulatedWorkload work_;
};

Recorder recorded(SimulatedDevice& device, const Pass& pass) {
  Recorder work(device);
  Samples samples;
  std::size_t request = 0;
  run_segment(work, pass, exactly(4), alone, request, samples);
  return work;
}

// Taking it again takes a millisecond.
struct ContendedFixture {
  explicit ContendedFixture(const char* text)
      : device(parse_sim(text)), work(std::make_unique<SimulatedWorkload>(device)), lock(device.clock()) {}
  Samples run(const Pass& pass) {
    const LendWhileWaiting lend(lock);
    Samples samples;
    std::size_t request = 0;
    run_segment(work, pass, exactly(5), alone, request, samples);
    return samples;
  }
  SimulatedDevice device;
  testing::LockedWork work;
  testing::ContendedLock lock;
};

TEST(ContendedLock, IsInNoTimeOfTheHostNorBetweenTwoMarks) {
  const char* text = "launch=5us,kernels=20x1us,sync=3us";
  for (const Pass& pass : {kLatencyPass, kSpanPass, kDeviceTimePass}) {
    Fixture alone_there(text);
    const Samples expected = alone_there.run(pass, exactly(5));
    const Samples t = ContendedFixture(text).run(pass);
    ASSERT_EQ(t.size(), expected.size());
    EXPECT_EQ(t[3].done - t[3].begin, expected[3].done - expected[3].begin) << pass.metric;
    EXPECT_EQ(t[3].device, expected[3].device) << pass.metric;
  }
}

TEST(ContendedLock, IsNotWaitedForWhileAGateIsClosed) {
  ContendedFixture f("launch=5us,kernels=20x1us,sync=3us");
  Stream& stream = f.work.stream();
  int taken = 0, behind_a_gate = 0;
  f.lock.on_take = [&] {
    const Mark now = stream.mark();
    f.device.clock().sleep(1ms);
    ++taken;
    behind_a_gate += !stream.reached(now);
  };
  f.run(kDeviceTimePass);
  EXPECT_GE(taken, 5);
  EXPECT_EQ(behind_a_gate, 0);
}

TEST(LatencyLoop, TimesSubmitAndCompletion) {
  Fixture f("launch=5us,kernels=20x1us,sync=3us");
  const Samples t = f.run(kLatencyPass, exactly(5));
  ASSERT_EQ(t.size(), 7u);
  EXPECT_EQ(t[0].state, SampleState::settling);
  EXPECT_EQ(t[1].state, SampleState::settling);
  for (std::size_t i = 2; i < t.size(); ++i) {
    EXPECT_EQ(t[i].state, SampleState::kept);
    EXPECT_EQ(t[i].submitted - t[i].begin, 100us);
    EXPECT_EQ(t[i].done - t[i].begin, 104us);
  }
}

TEST(EventLoop, ReadsDeviceWorkPlusTheGaps) {
  Fixture f("launch=5us,kernels=20x1us,sync=3us");
  for (const Sample& s : f.run(kSpanPass, exactly(600))) EXPECT_EQ(s.device, 101us);  // more than one chunk of marks
  Fixture slow("launch=1us,kernels=20x5us");
  for (const Sample& s : slow.run(kSpanPass, exactly(5))) EXPECT_EQ(s.device, 101us);
}

TEST(EventLoop, ReadsNoMarkThatIsStillAheadWhenItDoesNotWait) {
  Fixture f("launch=1us,kernels=20x5us");
  const Pass queued{"queued", {.clock = Method::Clock::device, .wait = Method::Wait::none}};
  const Samples t = f.run(queued, exactly(600));  // the marks are used again while the device is behind
  EXPECT_EQ(t.back().device, 100us);
}

TEST(GatedLoop, ReadsOnlyDeviceWorkWhenLaunchesAreSlow) {
  Fixture f("launch=5us,kernels=20x1us,sync=3us");
  for (const Sample& s : f.run(kDeviceTimePass, exactly(600))) EXPECT_EQ(s.device, 20us);
}

TEST(GatedLoop, StopsAtTheFirstSampleThatTheWatchdogOpened) {
  Fixture f("launch=5us,kernels=20x1us,hidden_sync=1");
  const Samples t = f.run(kDeviceTimePass, exactly(5));
  EXPECT_TRUE(f.result.gate_tripped);
  ASSERT_EQ(t.size(), 1u);
  EXPECT_EQ(t[0].state, SampleState::voided);
}

TEST(FullLoop, IsPacedByTheSlowerOfHostAndDevice) {
  Fixture host("launch=5us,kernels=20x1us");
  SegmentPlan plan = exactly(50);
  plan.in_flight = 4;
  Samples t = host.run(kPeriodPass, plan);
  EXPECT_EQ(t[40].done - t[39].done, 100us);
  Fixture device("launch=1us,kernels=20x5us");
  t = device.run(kPeriodPass, plan);
  EXPECT_EQ(t[40].done - t[39].done, 100us);
  EXPECT_EQ(t[40].done - t[40].begin, 4 * 100us);  // four in flight: each waits for the three before it
}

// The device is slower by a little only: until its queue is full the host reads one end each time that it has
// submitted.
TEST(FullLoop, IsPacedByTheDeviceAlsoWhileItsQueueFills) {
  Fixture f("launch=3300us,kernels=1x3800us");
  SegmentPlan plan = exactly(14);
  plan.in_flight = 4;
  plan.settle_requests = 4;
  const Samples t = f.run(kPeriodPass, plan);
  EXPECT_LT(t[10].done - t[9].done, 3400us);
  ASSERT_GT(f.result.full.requests, 5u);
  EXPECT_EQ(f.result.full.length / static_cast<std::int64_t>(f.result.full.requests), 3800us);
}

TEST(FullLoop, IsPacedByTheHostWhereThatIsSlower) {
  Fixture f("launch=100us,kernels=1x20us");
  SegmentPlan plan = exactly(20);
  plan.in_flight = 4;
  f.run(kPeriodPass, plan);
  ASSERT_GT(f.result.full.requests, 5u);
  EXPECT_NEAR(to_double(f.result.full.length) / static_cast<double>(f.result.full.requests), 100e3, 400);  // its marks
}

TEST(FullLoop, WithOneInFlightIsLatency) {
  Fixture f("launch=5us,kernels=20x1us");
  SegmentPlan plan = exactly(5);
  plan.in_flight = 1;
  const Samples t = f.run(kPeriodPass, plan);
  EXPECT_EQ(t[4].done - t[3].done, 101us);
}

TEST(FullLoop, LeavesNothingInTheQueue) {
  Fixture f("launch=1us,kernels=20x5us");
  f.run(kPeriodPass, exactly(5));
  const nanoseconds end = f.device.clock().now();
  f.work.stream().synchronize();
  EXPECT_EQ(f.device.clock().now(), end);
}

TEST(Segment, LastsAsLongAsSaidAndHasAsManySamplesAsSaid) {
  Fixture f("kernels=1x1ms");
  SegmentPlan plan;
  plan.length = 100ms;
  plan.settle = 20ms;
  plan.typical = 1ms;
  const Samples t = f.run(kLatencyPass, plan);
  EXPECT_EQ(t.size(), 100u);
  EXPECT_EQ(f.result.kept, 80u);
  Fixture slow("kernels=1x50ms");
  plan.typical = 50ms;
  EXPECT_EQ(slow.run(kLatencyPass, plan).size(), 11u);
  EXPECT_EQ(slow.result.kept, 10u);
}

TEST(Segment, HasNoMoreSamplesThanAskedForHoweverLongItMayLast) {
  Fixture f("kernels=1x1ms");
  SegmentPlan plan;
  plan.length = 100ms;
  plan.least = 1;
  plan.most = 3;
  EXPECT_EQ(f.run(kLatencyPass, plan).size(), 4u);
  EXPECT_EQ(f.result.kept, 3u);
}

TEST(Segment, HasNoSampleAfterTheDeadline) {
  Fixture f("kernels=1x1ms");
  SegmentPlan plan = exactly(100);
  plan.deadline = 0ns;
  EXPECT_TRUE(f.run(kLatencyPass, plan).empty());
}

TEST(Segment, HasOneKeptSampleAfterTheDeadlineWhereItNeedsOne) {
  Fixture f("kernels=1x1ms");
  SegmentPlan plan = exactly(100);
  plan.deadline = 0ns;
  plan.needs_one = true;
  EXPECT_EQ(f.run(kLatencyPass, plan).size(), 1u);
  EXPECT_EQ(f.result.kept, 1u);
}

TEST(Segment, StoresTimesSinceTheRunBegan) {
  Fixture f("kernels=1x1ms");
  f.device.clock().sleep(5s);
  SegmentPlan plan = exactly(2);
  plan.origin = 4s;
  const Sample s = f.run(kLatencyPass, plan).front();
  EXPECT_EQ(s.begin, 1s);
  EXPECT_EQ(s.submitted, 1s);
  EXPECT_EQ(s.done, 1s + 1ms);
}

TEST(Segment, AsksForTheNextInputInEverySample) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us,copy_in=7us,copy_out=3us"));
  const std::vector<std::size_t> in_order{0, 1, 2, 3, 4, 5};
  for (const Pass& pass : {kLatencyPass, kSpanPass, kDeviceTimePass, kEndToEndPass})
    EXPECT_EQ(recorded(device, pass).submitted, in_order) << pass.metric;
  for (const Pass& pass : {kCopyInPass, kEndToEndPass})
    EXPECT_EQ(recorded(device, pass).copied_in, in_order) << pass.metric;
  for (const Pass& pass : {kCopyOutPass, kEndToEndPass})
    EXPECT_EQ(recorded(device, pass).copied_out, in_order) << pass.metric;
}

TEST(Segment, StopsWhenAskedTo) {
  Fixture f("kernels=1x1ms");
  int left = 3;
  LocalConductor conductor([&] { return --left == 0; });
  EXPECT_EQ(f.run(kLatencyPass, exactly(100), conductor).size(), 3u);
  EXPECT_TRUE(f.result.stopped);
}

TEST(CopyLoops, TimeTheCopiesAndNothingElse) {
  Fixture f("launch=5us,kernels=20x1us,copy_in=7us,copy_out=3us");
  EXPECT_EQ(f.run(kCopyInPass, exactly(3))[2].device, 7us);
  EXPECT_EQ(f.run(kCopyOutPass, exactly(3))[2].device, 3us);
  const Samples t = f.run(kEndToEndPass, exactly(3));
  EXPECT_EQ(t[2].done - t[2].begin, 104us);  // the copy in hides behind the launches
}

TEST(BlockLoop, PutsSeveralRequestsBetweenTwoReadings) {
  InlineDevice cpu;
  std::size_t calls = 0;
  Callable work([&] { ++calls; }, cpu.stream(), 1);
  SegmentPlan plan = exactly(10);
  plan.requests_per_sample = 1000;
  Samples samples;
  std::size_t request = 0;
  run_segment(work, kLatencyPass, plan, alone, request, samples);
  EXPECT_EQ(samples.size(), 12u);
  EXPECT_EQ(calls, 12000u);
  EXPECT_EQ(request, 12000u);
  EXPECT_EQ(samples[0].requests, 1000u);
}

// A probe on a busy machine expects 10 ms, and then requests take 6 µs: 94 of them, for which there is room, are over
// before the segment has settled.
TEST(Segment, KeepsEnoughOfRequestsThatAreFarQuickerThanExpected) {
  Fixture f("launch=1us,kernels=1x4us,sync=1us");
  SegmentPlan plan;
  plan.length = 55ms;
  plan.settle = 5ms;
  plan.least = 15;
  plan.typical = 10ms;
  for (const Pass& pass : {kLatencyPass, kSpanPass, kPeriodPass}) {
    f.run(pass, plan);
    EXPECT_GE(f.result.kept, 15u) << pass.metric;
  }
}

}  // namespace
}  // namespace strobe
