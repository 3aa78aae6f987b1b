// SPDX-License-Identifier: Apache-2.0
// Each on a record made by hand: one that fires, and a near one that must not. On a GPU they are seen for real.
#include <gtest/gtest.h>

#include "verdict/detectors.h"

namespace strobe {
namespace {

Metric known(double median) {
  Metric m;
  m.n = 100;
  m.estimate = {median, 0.999 * median, 1.001 * median, true, {}};
  return m;
}

Record on_gpu() {
  Record r;
  r.device.kind = "cuda";
  r.device.asynchronous = true;
  r.device.facts = {{"sm_mhz_max", 2000.0}, {"l2_bytes", std::int64_t{1'000'000}}};
  r.metrics["latency"] = known(1e6);
  r.metrics["device_time"] = known(9e5);
  return r;
}

IdleResult after(double pause_ns, double latency_ns) {
  IdleResult r{.pause_ns = pause_ns, .difference = latency_ns / 1e6 - 1};
  r.metrics["latency"] = known(latency_ns);
  return r;
}

TEST(ClockNotHeld, ComparesWhatWasLockedWithWhatWasRead) {
  Record r = on_gpu();
  r.observations.clocks_per_pass = {{"device_time", 1500.0}, {"latency", 1490.0}};
  EXPECT_FALSE(clock_not_held(r));  // nobody asked for a lock
  r.settings["lock_clocks"] = std::int64_t{1500};
  EXPECT_FALSE(clock_not_held(r));
  r.observations.clocks_per_pass["device_time"] = 1410;
  const auto f = clock_not_held(r);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->message, "the clock was locked at 1500 MHz, and was 1410 MHz in device time");
  EXPECT_EQ(f->severity, Severity::warning);
}

TEST(SlowAfterPause, NamesTheShortestPauseThatHasMostOfTheEffect) {
  Record r = on_gpu();
  EXPECT_FALSE(slow_after_pause(r));
  r.idle = {after(1e6, 1.07e6), after(1e9, 1.5e6), after(1e7, 1.4e6)};
  const auto f = slow_after_pause(r);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->message, "after 10 ms idle a request takes 40 % longer than without a pause");
  EXPECT_EQ(f->about, About::workload);
  EXPECT_NE(f->advice.find("-lgc"), std::string::npos);
  r.idle.push_back(after(1e6, 1.45e6));
  r.idle.back().random = true;  // a mixture of short ones and long ones
  EXPECT_EQ(slow_after_pause(r)->evidence.at("pause_ns"), 1e7);
  r.device.kind = "cpu";
  EXPECT_EQ(slow_after_pause(r)->advice.find("-lgc"), std::string::npos);
}

TEST(SlowAfterPause, SaysNothingOfADifferenceThatIsSmallOrUncertain) {
  Record r = on_gpu();
  r.idle = {after(1e7, 1.04e6)};
  EXPECT_FALSE(slow_after_pause(r));
  r.idle = {after(1e7, 1.4e6)};
  r.idle[0].metrics["latency"].estimate.low = 0.9e6;
  r.idle[0].metrics["latency"].estimate.high = 2.1e6;
  EXPECT_FALSE(slow_after_pause(r));
  r.idle[0].metrics["latency"].unknown = "the time was up before";
  EXPECT_FALSE(slow_after_pause(r));
}

TEST(Throttled, IsAWarningWhenTheClockFellAndNothingWhenItWasOnlyIdle) {
  Record r = on_gpu();
  r.observations.clocks_per_pass = {{"latency", 1500.0}};
  r.telemetry.columns["throttle"] = {0, 0x20, 0x20, 0};
  ASSERT_TRUE(throttled(r));
  EXPECT_EQ(throttled(r)->severity, Severity::warning);
  EXPECT_NEAR(throttled(r)->evidence.at("clock_loss"), 0.25, 1e-9);
  r.telemetry.columns["throttle"] = {1, 1, 2, 0x100};
  EXPECT_FALSE(throttled(r));
}

TEST(Throttled, CountsOnlyForTheTimeInWhichItWasSeen) {
  Record r = on_gpu();
  r.observations.clocks_per_pass = {{"latency", 1500.0}};
  r.telemetry.columns["throttle"] = std::vector<double>(100, 0);
  for (int i = 0; i < 3; ++i) r.telemetry.columns["throttle"][static_cast<std::size_t>(i)] = 0x40;
  ASSERT_TRUE(throttled(r));
  EXPECT_EQ(throttled(r)->severity, Severity::note);  // a quarter of the clock, in 3 % of the time
  r.telemetry.columns["throttle"].assign(100, 0x40);
  EXPECT_EQ(throttled(r)->severity, Severity::warning);
}

TEST(Throttled, GoesByThePassWithTheLowestClock) {
  Record r = on_gpu();
  r.observations.clocks_per_pass = {{"device_time", 1200.0}, {"latency", 1800.0}};
  r.telemetry.columns["throttle"] = {0x20};
  ASSERT_TRUE(throttled(r));
  EXPECT_NEAR(throttled(r)->evidence.at("clock_loss"), 0.4, 1e-9);
  r.observations.clocks_per_pass = {{"device_time", 1800.0}, {"latency", 1200.0}};
  EXPECT_NEAR(throttled(r)->evidence.at("clock_loss"), 0.4, 1e-9);
}

TEST(Throttled, GoesByTheBoardsCountersWhereItHasThem) {
  Record r = on_gpu();
  r.observations.clocks_per_pass = {{"latency", 1500.0}};
  r.telemetry.columns["throttle"] = {0, 0, 0, 0};  // short stretches lie between the samples
  r.telemetry.facts = {{"thermal_slowdown_share", 0.1}, {"hardware_slowdown_share", 0.0}, {"power_brake_share", 0.3}};
  ASSERT_TRUE(throttled(r));
  EXPECT_EQ(throttled(r)->severity, Severity::warning);
  EXPECT_EQ(throttled(r)->message,
            "the device was slowed down (power brake) for 30 % of the time; its clock is 25 % below its highest");
  r.telemetry.columns["throttle"] = {0x20, 0x20, 0x20, 0x20};  // of which the counters know nothing
  for (auto& [name, share] : r.telemetry.facts) share = 0.0;
  EXPECT_FALSE(throttled(r));
}

TEST(PowerCapped, GoesByTheBoardsCounterWhereItHasOne) {
  Record r = on_gpu();
  r.telemetry.columns["throttle"] = {0, 0, 0, 0};
  r.telemetry.facts["power_cap_share"] = 0.12;
  ASSERT_TRUE(power_capped(r));
  EXPECT_NE(power_capped(r)->message.find("for 12 % of the time"), std::string::npos);
  r.telemetry.columns["throttle"] = {4, 4, 4, 4};
  r.telemetry.facts["power_cap_share"] = 0.01;
  EXPECT_FALSE(power_capped(r));
}

TEST(PowerCapped, IsAdviceBecauseThePowerLimitBelongsToTheDeployment) {
  Record r = on_gpu();
  r.telemetry.columns["throttle"] = {4, 4, 0, 0};
  ASSERT_TRUE(power_capped(r));
  EXPECT_EQ(power_capped(r)->about, About::workload);
  EXPECT_FALSE(throttled(r));
  r.telemetry.columns["throttle"] = std::vector<double>(100, 0);
  r.telemetry.columns["throttle"][0] = 4;
  EXPECT_FALSE(power_capped(r));
}

TEST(ClocksDiffer, ComparesPassesThatComputeAndNotCopies) {
  Record r = on_gpu();
  r.observations.clocks_per_pass = {{"latency", 1900.0}, {"device_time", 1960.0}};
  ASSERT_TRUE(clocks_differ(r));
  EXPECT_EQ(clocks_differ(r)->severity, Severity::warning);
  r.observations.clocks_per_pass = {{"latency", 1940.0}, {"device_time", 1960.0}, {"copy_in", 2100.0}};
  EXPECT_FALSE(clocks_differ(r));
}

TEST(PowerLimit, IsNotedWhenItLiesBelowTheDefault) {
  Record r = on_gpu();
  EXPECT_FALSE(power_limit(r));
  r.device.facts["power_limit_w"] = 700.0;
  r.device.facts["power_limit_default_w"] = 700.0;
  EXPECT_FALSE(power_limit(r));
  r.device.facts["power_limit_w"] = 500.0;
  EXPECT_EQ(power_limit(r)->severity, Severity::note);
}

TEST(OtherDevice, IsNotedByName) {
  Record r = on_gpu();
  EXPECT_FALSE(other_device(r));
  r.observations.other_devices = {"cuda:1", "cuda:3"};
  ASSERT_TRUE(other_device(r));
  EXPECT_NE(other_device(r)->message.find("cuda:1, cuda:3"), std::string::npos);
}

TEST(PersistingCache, IsNotedWhenAPartIsSetAside) {
  Record r = on_gpu();
  EXPECT_FALSE(persisting_cache(r));
  r.device.facts["persisting_l2_bytes"] = std::int64_t{0};
  EXPECT_FALSE(persisting_cache(r));
  r.device.facts["persisting_l2_bytes"] = std::int64_t{500'000};
  EXPECT_EQ(persisting_cache(r)->severity, Severity::note);
}

TEST(OtherProcess, CountsByHowBusyTheDeviceWas) {
  Record r = on_gpu();
  EXPECT_FALSE(other_process(r));
  r.device.facts["other_processes"] = std::int64_t{1};
  EXPECT_EQ(other_process(r)->severity, Severity::note);  // a process that only holds memory disturbs nothing
  r.device.facts["busy_before"] = 0.4;
  EXPECT_EQ(other_process(r)->severity, Severity::warning);
}

TEST(SharedGpu, IsNotedUnderMigAndMps) {
  Record r = on_gpu();
  EXPECT_FALSE(shared_gpu(r));
  r.device.facts["mig"] = true;
  EXPECT_TRUE(shared_gpu(r));
  r.device.facts["mig"] = false;
  r.device.facts["mps"] = true;
  EXPECT_TRUE(shared_gpu(r));
}

TEST(ProfilerAttached, IsAWarning) {
  Record r = on_gpu();
  EXPECT_FALSE(profiler_attached(r));
  r.device.facts["profiler"] = std::string("Nsight Systems is loaded");
  EXPECT_EQ(profiler_attached(r)->severity, Severity::warning);
}

TEST(ProfilerAttached, IsSuspectedWhenLaunchesCostTooMuch) {
  Record r = on_gpu();
  r.device.calibration["launch_ns"] = 4'000;
  EXPECT_FALSE(profiler_attached(r));
  r.device.calibration["launch_ns"] = 50'000;
  EXPECT_EQ(profiler_attached(r)->severity, Severity::note);
}

TEST(NumaRemote, IsNotedWhenTheThreadIsOnAnotherNode) {
  Record r = on_gpu();
  r.device.facts["numa_node"] = std::int64_t{1};
  r.observations.host_numa_node = 0;
  EXPECT_TRUE(numa_remote(r));
  r.observations.host_numa_node = 1;
  EXPECT_FALSE(numa_remote(r));
}

TEST(AllocatesInsideTiming, IsAdvice) {
  Record r = on_gpu();
  r.observations.allocations_per_request = 0.0;
  EXPECT_FALSE(allocates_inside_timing(r));
  r.observations.allocations_per_request = 1.0;
  EXPECT_EQ(allocates_inside_timing(r)->about, About::workload);
}

TEST(ReducedMath, NamesTf32ForFloat32OnAGpuOnly) {
  Record r = on_gpu();
  r.model.inputs = {{"x", "f32", {1, 3}, "random"}};
  EXPECT_FALSE(reduced_math(r));
  r.model.facts["tf32"] = true;
  EXPECT_TRUE(reduced_math(r));
  r.device.kind = "cpu";
  EXPECT_FALSE(reduced_math(r));
}

TEST(CpuFallback, CountsOperatorsOnTheWrongSide) {
  Record r = on_gpu();
  r.observations.fallback_nodes = 0;
  EXPECT_FALSE(cpu_fallback(r));
  r.observations.fallback_nodes = 3;
  r.observations.work = WorkObservation{20, 3, 2, {}, {}, {}};
  EXPECT_NE(cpu_fallback(r)->message.find("2 copies"), std::string::npos);
}

TEST(PageableCopy, IsAdviceAboveATwentieth) {
  Record r = on_gpu();
  r.settings["io"] = std::string("runtime");
  r.metrics["end_to_end"] = known(1.5e6);
  EXPECT_TRUE(pageable_copy(r));
  r.metrics["end_to_end"] = known(1.02e6);
  EXPECT_FALSE(pageable_copy(r));
}

TEST(Impossible, IsInvalidAboveTheDevicesOwnBest) {
  Record r = on_gpu();  // 0.9 ms
  r.model.facts["tf32"] = true;
  r.device.calibration = {{"gemm_tflops", 400.0}, {"copy_gbps", 4000.0}};
  r.observations.work = WorkObservation{20, 0, 0, 0.9e-3 * 390e12, 1e6, {}};
  EXPECT_FALSE(impossible(r));
  r.observations.work->flops = 0.9e-3 * 450e12;
  EXPECT_EQ(impossible(r)->severity, Severity::invalid);
  r.observations.work->flops = 0;
  r.observations.work->least_bytes = 0.9e-3 * 5e12;
  EXPECT_TRUE(impossible(r));
  r.device.facts["l2_bytes"] = std::int64_t{10'000'000'000};  // it may all be in the cache
  EXPECT_FALSE(impossible(r));
  r.device.facts["l2_bytes"] = std::int64_t{2'300'000'000};  // part of the 4.5 GB may stay in it
  EXPECT_FALSE(impossible(r));
  r.device.facts["l2_bytes"] = std::int64_t{2'200'000'000};
  EXPECT_TRUE(impossible(r));
}

TEST(Impossible, LeavesPlainF32RoomForWinogradsConvolutions) {
  Record r = on_gpu();
  r.device.calibration = {{"gemm_tflops", 50.0}};
  r.model.facts["tf32"] = false;
  r.observations.work = WorkObservation{20, 0, 0, 0.9e-3 * 110e12, 1e6, {}};
  EXPECT_FALSE(impossible(r));
  r.observations.work->flops = 0.9e-3 * 120e12;  // 2.4 times the best
  EXPECT_TRUE(impossible(r));
  r.observations.work->flops = 0.9e-3 * 60e12;
  r.model.facts["math"] = std::string("float16");
  EXPECT_TRUE(impossible(r));
  r.model.facts["math"] = std::string("float");
  r.model.facts["tf32"] = true;
  EXPECT_TRUE(impossible(r));
}

TEST(CacheHot, IsSaidOfTheRowWithAColdCache) {
  const Record r = on_gpu();
  Case c;
  c.settings = {{"cache", std::string("cold")}, {"input", std::string("rotating")}};
  c.claims = "device_time";
  c.metrics["reading"] = known(9.6e5);
  EXPECT_TRUE(cache_hot(r, c));
  c.metrics["reading"] = known(9.1e5);
  EXPECT_FALSE(cache_hot(r, c));
}

TEST(SameInput, IsMeasuredByTheRowThatRepeatsOne) {
  const Record r = on_gpu();
  Case c;
  c.settings = {{"cache", std::string("hot")}, {"input", std::string("same")}};
  c.claims = "device_time";
  c.metrics["reading"] = known(8.5e5);
  EXPECT_EQ(same_input(r, c)->severity, Severity::warning);
  c.metrics["reading"] = known(8.98e5);
  EXPECT_FALSE(same_input(r, c));
}

// A canary that takes 5 % longer, beside requests of 1 ms on a queue.
Finding noise_beside(double submit, double span, double device_time) {
  Record r = on_gpu();
  r.telemetry.facts["canary_excess"] = 0.05;
  r.metrics["submit"] = known(submit);
  r.metrics["span"] = known(span);
  r.metrics["device_time"] = known(device_time);
  return noisy_host(r).value();
}

TEST(NoisyHost, CountsOnAQueueForTheHostsPartOfTheLatency) {
  const Finding by_device = noise_beside(0.6e6, 0.96e6, 0.95e6);  // most of its submission is hidden
  EXPECT_NEAR(by_device.evidence.at("effect"), 0.05 * 0.05, 1e-12);
  EXPECT_EQ(by_device.severity, Severity::note);
  const Finding by_host = noise_beside(0.9e6, 0.95e6, 0.3e6);
  EXPECT_NEAR(by_host.evidence.at("effect"), 0.9 * 0.05, 1e-12);
  EXPECT_EQ(by_host.severity, Severity::warning);
}

}  // namespace
}  // namespace strobe
