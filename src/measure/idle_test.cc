// SPDX-License-Identifier: Apache-2.0
#include "measure/idle.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "device/simulated/simulated_device.h"
#include "measure/analysis.h"
#include "measure/measurement.h"
#include "measure/pauses.h"
#include "testing/virtual_cpu.h"
#include "workload/callable.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

constexpr const char* kSleepyGpu = "launch=5us,kernels=20x10us,sync=6us,sleep_after=5ms,wake=300us";
constexpr nanoseconds kAwake = 5us + 20 * 10us + 6us, kAsleep = kAwake + 300us;

std::vector<nanoseconds> latencies(const IdleSamples& s) {
  std::vector<nanoseconds> all;
  for (const Sample& x : s.samples) {
    if (x.state == SampleState::kept) all.push_back(x.done - x.begin);
  }
  return all;
}

std::vector<nanoseconds> times(std::size_t n, nanoseconds t) {
  return std::vector<nanoseconds>(n, t);
}

struct Idling {
  explicit Idling(const char* text) : device(parse_sim(text)), work(device) {}
  IdleSamples after(IdlePause pause, std::size_t requests = 10) {
    return measure({.pause = pause, .requests = requests});
  }
  IdleSamples measure(const IdlePlan& plan) { return measure_idle(work, plan, conductor, request); }

  SimulatedDevice device;
  SimulatedWorkload work;
  LocalConductor conductor;
  std::size_t request = 0;
};

TEST(Idle, ReadsToTheNanosecondWhatARequestTakesThatHasToWakeTheDevice) {
  Idling gpu(kSleepyGpu);
  EXPECT_EQ(latencies(gpu.after({1ms})), times(10, kAwake));
  EXPECT_EQ(latencies(gpu.after({5ms})), times(10, kAsleep));
  EXPECT_EQ(latencies(gpu.after({10s}, 3)), times(3, kAsleep));
}

// Since the end of its work the device has waited for the host's return, the pause and the first launch.
TEST(Idle, FindsTheVeryPauseAfterWhichTheDeviceSleeps) {
  constexpr nanoseconds kEnough = 5ms - 6us - 5us;
  Idling gpu(kSleepyGpu);
  EXPECT_EQ(latencies(gpu.after({kEnough - 1ns}, 1)), times(1, kAwake));
  EXPECT_EQ(latencies(gpu.after({kEnough}, 1)), times(1, kAsleep));
}

TEST(Idle, LeavesOutTheFirstRequestWhichFollowsOtherWork) {
  Idling gpu(kSleepyGpu);
  const IdleSamples s = gpu.after({10ms}, 4);
  EXPECT_EQ(s.samples.size(), 5u);
  EXPECT_EQ(s.samples.front().state, SampleState::settling);
  EXPECT_EQ(gpu.request, 6u);  // and one is watched
}

TEST(Idle, HidesTheWakingWhereTheHostTakesLongerThanThat) {
  Idling gpu("launch=100us,kernels=20x10us,sleep_after=5ms,wake=300us");
  EXPECT_EQ(latencies(gpu.after({10ms}, 2)), times(2, 20 * 100us + 10us));
}

TEST(Idle, DrawsRandomPausesWithTheMeanThatWasAskedFor) {
  Pauses pauses({10ms, true}, 1);
  std::vector<double> drawn;
  for (int i = 0; i < 20'000; ++i) drawn.push_back(to_double(pauses.next()));
  const double mean = std::accumulate(drawn.begin(), drawn.end(), 0.0) / 20'000;
  EXPECT_NEAR(mean, 10e6, 0.02 * 10e6);
  const auto longer = std::count_if(drawn.begin(), drawn.end(), [](double x) { return x > 10e6; });
  EXPECT_NEAR(static_cast<double>(longer) / 20'000, std::exp(-1), 0.01);
}

// Exponential pauses of a mean of 10 ms are longer than 5 ms in 61 % of cases.
TEST(Idle, FindsTheDeviceAsleepAsOftenAsRandomPausesAreLong) {
  Idling gpu(kSleepyGpu);
  const auto all = latencies(gpu.after({10ms, true}, 2000));
  const auto asleep = std::count(all.begin(), all.end(), kAsleep);
  EXPECT_EQ(std::count(all.begin(), all.end(), kAwake), 2000 - asleep);
  EXPECT_NEAR(static_cast<double>(asleep) / 2000, std::exp(-0.5), 0.035);
}

TEST(Idle, SaysHowAwakeTheDeviceWasBeforeAndAfter) {
  Idling gpu(kSleepyGpu);
  const IdleSamples asleep = gpu.after({10ms}), awake = gpu.after({1ms});
  EXPECT_EQ(asleep.before.pstate, 8);
  EXPECT_EQ(asleep.after.pstate, 0);
  EXPECT_EQ(awake.before.pstate, 0);
  EXPECT_FALSE(asleep.before.cpu_mhz);  // this machine is no part of the simulation
  EXPECT_FALSE(Idling("kernels=20x10us").after({10ms}).before.pstate);
}

TEST(Idle, BeginsNoRequestAfterTheDeadline) {
  Idling gpu(kSleepyGpu);
  const IdleSamples some = gpu.measure({.pause = {10ms}, .requests = 50, .deadline = 100ms});
  EXPECT_EQ(latencies(some).size(), 8u);
  EXPECT_EQ(some.why_not, "");
  EXPECT_LT(gpu.device.clock().now(), 100ms);
  EXPECT_FALSE(some.before.pstate);
  const IdleSamples none = gpu.measure({.pause = {10ms}, .requests = 50, .deadline = 105ms});
  EXPECT_NE(none.why_not, "");
}

TEST(Idle, HearsThatItIsToStopInTheMiddleOfAPause) {
  SimulatedDevice device(parse_sim(kSleepyGpu));
  SimulatedWorkload work(device);
  LocalConductor conductor([&] { return device.clock().now() >= 2s; });
  std::size_t request = 0;
  const IdleSamples s = measure_idle(work, {.pause = {3600s}, .requests = 5}, conductor, request);
  EXPECT_TRUE(s.stopped);
  EXPECT_LE(device.clock().now(), 2100ms);
}

TEST(IdleRequests, AreAsManyAsFitButEnoughForAMedianAndNotMoreThanAPercentileNeeds) {
  EXPECT_EQ(idle_requests({10ms}, 0ns, 1s, {}), 100u);
  EXPECT_EQ(idle_requests({1ms}, 0ns, 1s, {}), 100u);
  EXPECT_EQ(idle_requests({100ms}, 0ns, 1s, {}), 10u);
  EXPECT_EQ(idle_requests({100ms}, 25ms, 1s, {}), 8u);
  EXPECT_EQ(idle_requests({1s}, 0ns, 1s, {}), 5u);
  EXPECT_EQ(idle_requests({10ms}, 0ns, 1s, 7), 7u);
  EXPECT_EQ(idle_time({{10ms}, {1s, true}}, 1s, {}), 102 * 10ms + 7 * 1s);
}

Record idled(Workload& work, const Options& o) {
  Record r;
  analyse(measure_rounds(work, o), o, r);
  return r;
}

Record idled(const Options& o, const char* text = kSleepyGpu) {
  SimulatedDevice device(parse_sim(text));
  SimulatedWorkload work(device);
  return idled(work, o);
}

TEST(Idle, IsInTheRecordBesideTheBusyLatency) {
  const Record r = idled({.effort = Effort::quick, .idle = {{1ms}, {10ms}, {100ms}}});
  ASSERT_EQ(r.idle.size(), 3u);
  EXPECT_EQ(r.idle[0].metrics.at("latency").estimate.value, to_double(kAwake));
  EXPECT_EQ(r.idle[1].metrics.at("latency").estimate.value, to_double(kAsleep));
  EXPECT_EQ(r.idle[1].metrics.at("submit").estimate.value, 100'000);
  EXPECT_EQ(r.idle[1].metrics.at("latency").n, 97u);  // as many as fit into a second, with their latencies
  EXPECT_EQ(r.idle[2].metrics.at("latency").n, 9u);
  EXPECT_EQ(r.idle[1].pause_ns, 10e6);
  EXPECT_FALSE(r.idle[1].random);
  EXPECT_EQ(r.idle[0].difference, 0);
  EXPECT_NEAR(r.idle[1].difference.value(), 300.0 / 211, 1e-9);
  EXPECT_EQ(r.idle[1].before.pstate, 8);
  EXPECT_EQ(r.metrics.at("latency").estimate.value, to_double(kAwake));
}

TEST(Idle, DoesNotChangeWhatIsMeasuredBesideIt) {
  const Options plain{.effort = Effort::quick}, idle{.effort = Effort::quick, .idle = {{10ms}, {1s}}};
  const Record with = idled(idle), without = idled(plain);
  for (const auto& [name, m] : without.metrics) {
    EXPECT_EQ(with.metrics.at(name).estimate.value, m.estimate.value) << name;
    EXPECT_EQ(with.metrics.at(name).n, m.n) << name;
  }
  EXPECT_EQ(with.window_ns, without.window_ns);
}

TEST(Idle, TakesAThirdOfAMaximumTimeAtMostAndSaysWhatWasNotReached) {
  SimulatedDevice device(parse_sim(kSleepyGpu));
  SimulatedWorkload work(device);
  const Record r = idled(work, {.effort = Effort::quick, .max_time = 1s, .idle = {{10ms}, {10s}}});
  EXPECT_LT(device.clock().now(), 1100ms);
  EXPECT_GT(r.window_ns, 0.25e9);
  EXPECT_GT(r.idle[0].metrics.at("latency").n, 5u);
  EXPECT_FALSE(r.idle[1].metrics.at("latency").known());
  EXPECT_FALSE(r.idle[1].difference);
}

TEST(Idle, OfTheCpuIsTheTimeOfTheCall) {
  VirtualCpu cpu;
  Callable work([&] { cpu.clock().sleep(40us); }, cpu.stream(), 1);
  const Record r = idled(work, {.warmup = 5, .requests = 20, .idle = {{10ms}}});
  ASSERT_EQ(r.idle.size(), 1u);
  EXPECT_EQ(r.idle[0].metrics.at("latency").estimate.value, 40'000);
  EXPECT_EQ(r.idle[0].metrics.at("latency").n, 20u);
  EXPECT_FALSE(r.idle[0].metrics.contains("submit"));
}

TEST(Idle, GivesAP90WhereThereAreEnoughRequests) {
  const Record r = idled({.effort = Effort::quick, .percentiles = {0.9}, .idle = {{10ms}, {100ms}}});
  EXPECT_TRUE(r.idle[0].metrics.at("latency").percentiles.at(0).estimate);
  EXPECT_TRUE(r.idle[1].metrics.at("latency").percentiles.at(0).needs);
}

}  // namespace
}  // namespace strobe
