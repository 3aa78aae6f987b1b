// SPDX-License-Identifier: Apache-2.0
#include "measure/profile_requests.h"

#include <gtest/gtest.h>

#include "device/simulated/simulated_device.h"
#include "trace/activity.h"
#include "trace/layer_times.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

ProfiledRequests profiled(const char* machine, std::size_t requests = 5) {
  SimulatedDevice device(parse_sim(machine));
  SimulatedWorkload workload(device);
  LocalConductor conductor;
  return profile_requests(workload, {.requests = requests}, conductor);
}

// N kernels of length K, each launched in L, longer than K: the device works N·K and waits for the host before each.
TEST(ProfileRequests, OfALaunchBoundMachineReadItsFormulas) {
  const ProfiledRequests p = profiled("launch=5us,kernels=20x2us,sync=6us");
  ASSERT_EQ(p.requests.size(), 5u);
  for (const trace::RequestTrace& t : p.requests) {
    const trace::Activity a = trace::activity_of(t);
    EXPECT_EQ(a.window, 108us);  // N·L + K + sync
    EXPECT_EQ(a.busy, 40us);
    EXPECT_EQ(a.starved, 5us + 19 * 3us);  // L before the first, L − K before each other
    EXPECT_EQ(a.drained, 6us);
    EXPECT_EQ(a.pipeline, 0us);
    EXPECT_EQ(a.kernels, 20u);
    EXPECT_EQ(a.both, 19 * 2us);
  }
}

TEST(ProfileRequests, OfADeviceBoundMachineIdleOnlyInItsPauses) {
  const ProfiledRequests p = profiled("launch=1us,kernels=20x50us,pause=1us");
  for (const trace::RequestTrace& t : p.requests) {
    const trace::Activity a = trace::activity_of(t);
    EXPECT_EQ(a.busy, 1000us);
    EXPECT_EQ(a.starved, 1us);  // the first launch
    EXPECT_EQ(a.pipeline, 19 * 1us);
    EXPECT_EQ(a.drained, 1us);  // the last pause, until which the host waits
  }
}

TEST(ProfileRequests, GiveEachLayerItsKernels) {
  const ProfiledRequests p = profiled("launch=5us,kernels=10x2us+1x30us+5x4us");
  EXPECT_EQ(p.profiler, "the simulation itself, to the nanosecond");
  for (const trace::RequestTrace& t : p.requests) {
    const trace::LayerTimes times = trace::layer_times_on_device(t);
    ASSERT_EQ(times.layers.size(), 3u);
    EXPECT_EQ(times.layers[0].time, 20us);
    EXPECT_EQ(times.layers[1].time, 30us);
    EXPECT_EQ(times.layers[2].time, 20us);
    EXPECT_EQ(times.layers[0].kernels, 10u);
    EXPECT_EQ(times.layers[1].name, "layer 2");
    EXPECT_EQ(times.unattributed, 0us);
  }
}

// What escapes is handed over before the first layer, and runs beside it.
TEST(ProfileRequests, ShowWorkOfNoLayer) {
  const ProfiledRequests p = profiled("launch=5us,kernels=2x2us,leak=50us");
  for (const trace::RequestTrace& t : p.requests) {
    const trace::LayerTimes times = trace::layer_times_on_device(t);
    EXPECT_EQ(times.unattributed, 50us);
    EXPECT_EQ(t.work.size(), 3u);
    EXPECT_EQ(t.work.front().name, "kernel 1");
  }
}

TEST(ProfileRequests, SayWhereAWorkloadHasNoLayers) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x2us"));
  SimulatedWorkload graph(device, true);
  LocalConductor conductor;
  const ProfiledRequests p = profile_requests(graph, {.requests = 3}, conductor);
  EXPECT_EQ(p.why_no_layers, "a graph has no layers that a host could see");
  EXPECT_TRUE(p.profiler.empty());
  EXPECT_EQ(trace::activity_of(p.requests.front()).busy, 40us);
}

TEST(ProfileRequests, EndWhenSomebodyAsksForIt) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x2us"));
  SimulatedWorkload workload(device);
  int asked = 0;
  LocalConductor conductor([&] { return ++asked > 20; });
  const ProfiledRequests p = profile_requests(workload, {.requests = 1000, .soak = 0ns}, conductor);
  EXPECT_TRUE(p.stopped);
  EXPECT_LT(p.requests.size(), 25u);
}

}  // namespace
}  // namespace strobe
