// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/parameters.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

TEST(SimParameters, ReadsEveryKey) {
  const SimParameters p = parse_sim(
      "launch=5us,kernels=20x1us+2x50us,mark=1us,mark_gpu=2us,tick=32ns,sync=6us,copy_in=1ms,copy_out=2ms,flush=9us,"
      "first=3ms,warm=1.5:200,noise=0.02,ar=0.8,"
      "outliers=0.01:3,bursts=1.5:20:0.02,drift=0.01,modes=1.08@0.3:40,shift=1.1@5s,throttle=0.7@10s,escape=4us,"
      "leak=7us,hidden_sync=1,queue=1020,seed=9,launch_noise=0.3%,launch_levels=1.036@0.33,load_noise=0.1%,"
      "load_levels=1.1@0.5,pause=1.5us,slow_streams=1.08@0.4,cache=40MB,input=600kB,miss=30us,"
      "sleep_after=5ms,wake=300us,idle_power=80W,active_power=600W,energy_step=100ms,energy_read=2.4ms,"
      "memory=1GiB,segment=2MiB,weights=50MB,workspace=4MB,fragments=3MB,driver=6MB,"
      "activations=7MB,grow=8kB,graph=9MB");
  EXPECT_EQ(p.kernel_count(), 22u);
  EXPECT_EQ(p.kernel_time(), 120us);
  EXPECT_EQ(p.kernel_launch, 5us);
  EXPECT_EQ(p.mark_gpu, 2us);
  EXPECT_EQ(p.tick, 32ns);
  EXPECT_EQ(p.copy_out, 2ms);
  EXPECT_EQ(p.flush, 9us);
  EXPECT_DOUBLE_EQ(p.warm, 1.5);
  EXPECT_DOUBLE_EQ(p.warm_requests, 200);
  EXPECT_DOUBLE_EQ(p.outlier_factor, 3);
  EXPECT_DOUBLE_EQ(p.burst_share, 0.02);
  EXPECT_DOUBLE_EQ(p.mode_factor, 1.08);
  EXPECT_DOUBLE_EQ(p.mode_dwell, 40);
  EXPECT_EQ(*p.shift_at, 5s);
  EXPECT_EQ(*p.throttle_at, 10s);
  EXPECT_EQ(p.leak, 7us);
  EXPECT_TRUE(p.hidden_sync);
  EXPECT_EQ(p.queue, 1020u);
  EXPECT_EQ(p.seed, 9u);
  EXPECT_EQ(p.cache, Bytes{40'000'000});
  EXPECT_EQ(p.input, Bytes{600'000});
  EXPECT_EQ(p.miss, 30us);
  EXPECT_EQ(p.cached_sets(), 66u);
  EXPECT_DOUBLE_EQ(p.of_launch.noise, 0.003);
  EXPECT_DOUBLE_EQ(p.of_launch.level_factor, 1.036);
  EXPECT_DOUBLE_EQ(p.of_launch.level_share, 0.33);
  EXPECT_DOUBLE_EQ(p.of_load.noise, 0.001);
  EXPECT_DOUBLE_EQ(p.of_load.level_factor, 1.1);
  EXPECT_EQ(p.pause, 1500ns);
  EXPECT_DOUBLE_EQ(p.slow_stream_factor, 1.08);
  EXPECT_DOUBLE_EQ(p.slow_stream_share, 0.4);
  EXPECT_EQ(p.sleep_after, 5ms);
  EXPECT_EQ(p.wake, 300us);
  EXPECT_DOUBLE_EQ(p.idle_power, 80);
  EXPECT_DOUBLE_EQ(p.active_power, 600);
  EXPECT_EQ(p.energy_step, 100ms);
  EXPECT_EQ(p.energy_read, 2400us);
  EXPECT_EQ(p.memory.total, Bytes{1u << 30});
  EXPECT_EQ(p.memory.segment, Bytes{2u << 20});
  EXPECT_EQ(p.memory.weights, Bytes{50'000'000});
  EXPECT_EQ(p.memory.workspace, Bytes{4'000'000});
  EXPECT_EQ(p.memory.fragments, Bytes{3'000'000});
  EXPECT_EQ(p.memory.driver, Bytes{6'000'000});
  EXPECT_EQ(p.memory.activations, Bytes{7'000'000});
  EXPECT_EQ(p.memory.grow, Bytes{8'000});
  EXPECT_EQ(p.memory.graph, Bytes{9'000'000});
}

TEST(SimParameters, UnsetKeysCostNothing) {
  const SimParameters p = parse_sim("kernels=1us");
  EXPECT_EQ(p.kernel_launch, 0ns);
  EXPECT_EQ(p.tick, 1ns);
  EXPECT_DOUBLE_EQ(p.noise, 0);
  EXPECT_EQ(p.cached_sets(), 0u);
}

TEST(SimParameters, EveryNamedScenarioIsWellFormed) {
  for (const SimScenario& s : sim_scenarios()) EXPECT_GT(parse_sim(s.name).kernel_count(), 0u) << s.name;
}

TEST(SimParameters, KeysAfterAScenarioChangeIt) {
  EXPECT_EQ(parse_sim("launch-bound,launch=9us").kernel_launch, 9us);
}

TEST(SimParameters, RefusesNonsenseAndSaysWhatWasExpected) {
  for (const char* bad : {"",
                          "nosuch",
                          "launch",
                          "launch=",
                          "launch=5",
                          "kernels=0.5x1us",
                          "kernels=-1x1us",
                          "kernels=999999999x1us",
                          "tick=0",
                          "ar=1",
                          "noise=2",
                          "modes=1.08",
                          "modes=1@2:3:4",
                          "shift=1.1",
                          "outliers=0.1",
                          "bursts=1:2",
                          "launch=1us,,",
                          "kernels=1x1us+",
                          "cache=40MB",
                          "input=600kB",
                          "miss=30us",
                          "launch-bound,cache=40MB,miss=30us",
                          "cache=40,input=1MB",
                          "launch_levels=1.1",
                          "load_levels=1.1@0.2:3",
                          "wake=300us",
                          "weights=1MB",
                          "launch-bound,grow=1MB",
                          "memory=1",
                          "queue=-1"}) {
    EXPECT_THROW(parse_sim(bad), Error) << bad;
  }
  try {
    parse_sim("lunch=5us");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("Did you mean 'launch'?"), std::string::npos);
  }
}

}  // namespace
}  // namespace strobe
