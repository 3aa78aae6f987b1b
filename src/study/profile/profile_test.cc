// SPDX-License-Identifier: Apache-2.0
#include "study/profile/profile.h"

#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "record/metric_names.h"
#include "study/profile/merge_profile.h"
#include "study/profile/profile_options.h"

namespace strobe {
namespace {

ProfilePlan plan_of(const char* model, bool profiled = true) {
  ProfilePlan p;
  p.open.model = model;
  p.how.requests = 20;
  p.profiled = profiled;
  return p;
}

double sum_of_shares(const ProfileAnswer& p) {
  double sum = p.outside.value_or(0) + p.unattributed.value_or(0);
  for (const LayerResult& l : p.layers) sum += l.share;
  return sum;
}

TEST(Profile, OfASimulatedMachineReadsItsFormulas) {
  const Record r = profile_launch(plan_of("sim:launch=5us,kernels=10x2us+1x30us,sync=6us"));
  const ProfileAnswer& p = r.profile;
  ASSERT_EQ(p.layers.size(), 2u);
  EXPECT_EQ(p.requests, 20u);
  EXPECT_EQ(p.layers[0].time.value, 20e3);
  EXPECT_EQ(p.layers[1].time.value, 30e3);
  EXPECT_EQ(p.layers[0].kernels, 10);
  EXPECT_EQ(p.layers[0].type, "10 × 2.00 µs");
  EXPECT_EQ(r.find(metric::busy)->estimate.value, 50e3);
  EXPECT_EQ(r.find(metric::latency)->estimate.value, 91e3);  // 11 launches, the last kernel, the wait's return
  EXPECT_NEAR(sum_of_shares(p), 1, 1e-12);
  ASSERT_TRUE(p.activity);
  EXPECT_NEAR(p.activity->busy.value, 50.0 / 91, 1e-9);
  EXPECT_NEAR(p.activity->drained.value, 6.0 / 91, 1e-9);
  EXPECT_NEAR(
      p.activity->busy.value + p.activity->starved.value + p.activity->drained.value + p.activity->pipeline.value, 1,
      1e-12);
  EXPECT_EQ(p.activity->concurrency.value, 1);
  EXPECT_EQ(p.activity->calls.value, 11);
  ASSERT_EQ(p.kernels.size(), 2u);
  EXPECT_EQ(p.kernels[0].name, "kernel 2");
  EXPECT_NEAR(p.kernels[0].share, 0.6, 1e-12);
  EXPECT_EQ(p.kernels[1].calls, 10);
}

TEST(Profile, TakesEqualDivisorsOfLayersForNoCoarseClock) {
  const Record r = profile_launch(plan_of("sim:launch=4us,kernels=40x3us+1x200us+40x2us"));
  for (const LayerResult& l : r.profile.layers) EXPECT_FALSE(l.time.bounded()) << l.name;
}

TEST(Profile, ShowsATypicalRequestOnATimeLine) {
  const Record r = profile_launch(plan_of("sim:launch=5us,kernels=2x20us"));
  std::vector<std::string> lanes;
  for (const TimelineSpan& s : r.timeline) lanes.push_back(s.lane + " " + s.name);
  EXPECT_EQ(lanes,
            (std::vector<std::string>{"host submit", "host submit", "host wait", "layers layer 1", "kernels kernel 1",
                                      "kernels kernel 1", "idle the host has not handed over more"}));
}

TEST(Profile, SaysWhatItCannotSee) {
  const Record r = profile_launch(plan_of("work:spin=1ms"));
  EXPECT_TRUE(r.profile.layers.empty());
  EXPECT_NE(r.profile.why_no_layers, "");
  EXPECT_FALSE(r.profile.activity);
  ASSERT_TRUE(r.profile.threads_busy);
  EXPECT_GT(*r.profile.threads_busy, 0);
}

TEST(Profile, OfACleanLaunchIsARun) {
  const Record r = profile_launch(plan_of("sim:launch-bound", false));
  EXPECT_EQ(r.profile.requests, 0u);
  EXPECT_NE(r.find(metric::device_time), nullptr);
}

// A launch whose layers take so long.
Record launch_with(double latency, double layer) {
  Record r;
  r.profile.requests = 10;
  r.profile.layers = {{.name = "a", .time = {.value = layer}}};
  r.profile.outside = 0.25;
  r.metrics[metric::latency].estimate.value = latency;
  return r;
}

TEST(MergeProfile, GivesEachLayerAnIntervalForTheNextLaunch) {
  const std::vector<Record> clean(6, launch_with(100, 0));
  std::vector<Record> profiled;
  for (const double layer : {50.0, 51.0, 52.0, 53.0, 54.0, 55.0}) profiled.push_back(launch_with(110, layer));
  Record whole;
  add_profiles(clean, profiled, whole);
  const LayerResult& a = whole.profile.layers.front();
  EXPECT_EQ(a.time.value, 52.5);
  EXPECT_LT(*a.time.low, 50);
  EXPECT_GT(*a.time.high, 55);
  EXPECT_EQ(a.launches.size(), 6u);
  EXPECT_EQ(whole.profile.requests, 60u);
  EXPECT_EQ(whole.profile.outside, 0.25);
  EXPECT_NEAR(whole.profile.slowdown->value, 1.1, 1e-12);
}

// A profiler of whole microseconds knows 3 µs to half of one, however often it says so.
TEST(MergeProfile, KnowsNoLayerBetterThanHalfATick) {
  const std::vector<Record> clean(6, launch_with(100e3, 0));
  std::vector<Record> profiled(6, launch_with(110e3, 3000));
  for (Record& r : profiled) r.profile.layers.front().time = {.value = 3000, .low = 2500, .high = 3500};
  Record whole;
  add_profiles(clean, profiled, whole);
  EXPECT_NEAR(*whole.profile.layers.front().time.low, 2500, 100);
  EXPECT_NEAR(*whole.profile.layers.front().time.high, 3500, 100);
}

TEST(MergeProfile, CountsALayerThatALaunchDoesNotHaveAsNothing) {
  const std::vector<Record> clean(2, launch_with(100, 0));
  std::vector<Record> profiled(2, launch_with(110, 50));
  profiled[1].profile.layers.front().name = "b";
  Record whole;
  add_profiles(clean, profiled, whole);
  EXPECT_EQ(whole.profile.layers.front().launches, (std::vector<double>{50, 0}));
}

TEST(MergeProfile, HasNoIntervalOfAFewPairs) {
  Record whole;
  add_profiles({launch_with(100, 0)}, {launch_with(120, 50)}, whole);
  EXPECT_NEAR(whole.profile.slowdown->value, 1.2, 1e-12);
  EXPECT_FALSE(whole.profile.slowdown->bounded());
  EXPECT_FALSE(whole.profile.layers.front().time.bounded());
}

// The device pauses 300 ns after each of 20 kernels: device time less busy, by kernel.
TEST(Profile, FindsThePauseBetweenKernels) {
  ProfilePlan p = plan_of("sim:launch=1us,kernels=20x20us,pause=300ns");
  p.how.launches = 1;
  const Record r = profile_launches(p);
  EXPECT_EQ(r.verb, "profile");
  EXPECT_EQ(r.find(metric::busy)->estimate.value, 400e3);
  EXPECT_NEAR(r.find(metric::inter_kernel)->estimate.value, 300, 1);
  EXPECT_NEAR(r.profile.slowdown->value, 1, 0.01);
}

Record profiled_record(double busy, std::optional<double> excess, std::uint64_t lost = 0) {
  Record r;
  r.profile.requests = 10;
  r.observations.kernels_per_request = 100;
  r.metrics[metric::busy].estimate.value = busy;
  r.profile.trace = TraceQuality{.tracer = "CUPTI", .records = 1000, .lost = lost, .excess_ns = excess};
  return r;
}

Metric pause_of(double busy, std::optional<double> excess) {
  Record clean, whole;
  clean.metrics[metric::device_time].estimate.value = 400e3;
  const std::vector profiled{profiled_record(busy, excess), profiled_record(busy, excess)};
  add_profiles({clean, clean}, profiled, whole);
  return whole.metrics.at(metric::inter_kernel);
}

// (400 − 320) µs / 100 kernels, each of which reads 0.7 µs too long.
TEST(Profile, RefusesAPauseBetweenKernelsThatTheTracerCannotSee) {
  EXPECT_NEAR(pause_of(320e3, 700.0).estimate.value, 800, 1e-9);
  EXPECT_NEAR(pause_of(320e3, std::nullopt).estimate.value, 800, 1e-9);
  const Metric refused = pause_of(350e3, 700.0);
  EXPECT_EQ(refused.unknown, "it is less than the 700 ns by which the tracer's time of each kernel is too long");
  EXPECT_FALSE(refused.known());
}

TEST(Profile, AddsUpWhatTracersLost) {
  Record whole;
  add_profiles({Record(), Record()}, {profiled_record(1e5, 600, 3), profiled_record(1e5, 800, 4)}, whole);
  EXPECT_EQ(whole.profile.trace->lost, 7u);
  EXPECT_EQ(whole.profile.trace->records, 2000u);
  EXPECT_EQ(whole.profile.trace->excess_ns, 800);
}

TEST(Profile, HandsItsOptionsToWorkers) {
  ProfilePlan p = plan_of("sim:tiny", false);
  p.open.launch = 3;
  const ProfilePlan read = profile_options(worker_options(p));
  EXPECT_EQ(read.open.model, "sim:tiny");
  EXPECT_EQ(read.open.launch, 3u);
  EXPECT_EQ(read.how.requests, 20u);
  EXPECT_FALSE(read.profiled);
}

}  // namespace
}  // namespace strobe
