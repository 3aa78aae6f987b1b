// SPDX-License-Identifier: Apache-2.0
#include "report/text/profile_text.h"

#include <gtest/gtest.h>

#include "record/metric_names.h"
#include "report/profile_parts.h"
#include "testing/contains.h"

namespace strobe {
namespace {

Record profile_of(std::size_t layers) {
  Record r;
  r.verb = "profile";
  r.model.name = "net";
  Metric& m = r.metrics[metric::latency];
  m.n = 100;
  m.estimate = {.value = 1e6, .low = 0.9e6, .high = 1.1e6};
  r.profile.requests = 60;
  r.profile.profiler = "somebody's profiler";
  r.profile.slowdown = Estimate{.value = 1.02, .low = 1.01, .high = 1.03};
  r.profile.outside = 0.05;
  for (std::size_t i = 0; i < layers; ++i)
    r.profile.layers.push_back({.name = "conv" + std::to_string(i),
                                .type = i % 2 ? "Relu" : "Conv",
                                .calls = 1,
                                .share = 0.01 * static_cast<double>(i),
                                .time = {.value = 1e4 * static_cast<double>(i), .low = 1.0, .high = 1e5}});
  return r;
}

std::string text_of(const Record& r, bool all = false) {
  return show_profile(r, {.color = false, .explain = false, .verbose = all}, Painter(false));
}

TEST(ProfileText, BeginsWithTheHottestLayer) {
  const std::string text = text_of(profile_of(12));
  EXPECT_LT(text.find("conv11"), text.find("conv10"));
  EXPECT_TRUE(testing::has(text, "the hottest 10 of 12 layers (--verbose: all)"));
  EXPECT_FALSE(testing::has(text, "conv0\n"));
  EXPECT_TRUE(testing::has(text_of(profile_of(12), true), "conv0\n"));
}

TEST(ProfileText, SaysHowMuchTheProfilerSlows) {
  EXPECT_TRUE(testing::has(
      text_of(profile_of(2)),
      "requests take 1.020 [1.010, 1.030] times as long with it; 60 requests under a profiler (somebody's profiler)"));
}

TEST(ProfileText, AddsLayersUpByType) {
  const std::vector<LayerType> types = layer_types(profile_of(4));
  ASSERT_EQ(types.size(), 2u);
  EXPECT_EQ(types[0].type, "Relu");  // 1 + 3
  EXPECT_DOUBLE_EQ(types[0].share, 0.04);
  EXPECT_EQ(types[1].layers, 2u);
}

TEST(ProfileText, SaysWhatThePartsOfTheGpuDidAndWhatAskingTook) {
  Record r = profile_of(2);
  EXPECT_FALSE(testing::has(text_of(r), "GPU"));
  r.telemetry.facts = {
      {"sm_active", 0.615}, {"tensor_active", 0.2}, {"pcie_in_mib_s", 1200.0}, {"gpm_sample_ns", 3.1e5}};
  EXPECT_TRUE(testing::has(text_of(r),
                           "GPU          multiprocessors 61.5 %, tensor cores 20 %, PCIe in 1200 MiB/s; a "
                           "sample takes 310 µs of another thread\n"));
  r.telemetry.facts = {{"gpm", std::string("this GPU has no GPM samples: Hopper and later have")}};
  EXPECT_TRUE(testing::has(text_of(r), "GPU          unknown: this GPU has no GPM samples"));
}

TEST(ProfileText, SaysWhyThereAreNoLayers) {
  Record r = profile_of(0);
  r.profile.why_no_layers = "nobody knows";
  EXPECT_TRUE(testing::has(text_of(r), "layers       unknown: nobody knows"));
}

TEST(ProfileText, SaysHowMuchTooLongKernelsRead) {
  Record r = profile_of(1);
  EXPECT_FALSE(testing::has(text_of(r), "trace"));
  r.profile.trace = TraceQuality{.tracer = "CUPTI 130001", .records = 600, .clock_ns = 120, .excess_ns = 700};
  r.observations.kernels_per_request = 50;
  EXPECT_TRUE(testing::has(text_of(r),
                           "600 pieces of work by CUPTI 130001; each kernel reads 700 ns longer than its own clock "
                           "says, 35.0 µs a request; joined with the host's clock to ±120 ns"));
}

TEST(ProfileText, TellsWhatTheDeviceWaitsFor) {
  Record r = profile_of(1);
  ActivityShares a;
  a.busy.value = 0.4;
  a.starved.value = 0.5;
  a.drained.value = 0.1;
  r.profile.activity = a;
  EXPECT_TRUE(testing::has(
      text_of(r), "the device works 40 % of a request; it idles 50 % because the host has not handed over more"));
}

TEST(ProfileText, ShortensLongNamesAtTheirBegin) {
  Record r = profile_of(1);
  r.profile.layers.front().name = "/" + std::string(100, 'a') + "/conv";
  const std::string text = text_of(r);
  EXPECT_TRUE(testing::has(text, "…"));
  EXPECT_TRUE(testing::has(text, "a/conv\n"));
}

TEST(ProfileText, CutsNoCharacterInTwo) {
  Record r = profile_of(1);
  for (std::size_t i = 0; i < 70; ++i) r.profile.layers.front().name += "µ";
  r.profile.layers.front().name += "x";  // 60 bytes from the end is within a µ
  EXPECT_FALSE(testing::has(text_of(r), "…\xb5"));
}

}  // namespace
}  // namespace strobe
