// SPDX-License-Identifier: Apache-2.0
#include "measure/analysis.h"

#include <gtest/gtest.h>

#include "workload/simulated_workload.h"

namespace strobe {
namespace {

// Of a simulated device: nothing of this machine.
Measurement unwatched() {
  static SimulatedDevice device(parse_sim("launch=1us,kernels=1x1us"));
  Measurement m;
  m.around = std::make_shared<Surroundings>(device);
  return m;
}

// A run on the CPU of 20 rounds: two settling samples that take ten times as long, then 18 of 10 ms each, with
// `requests` in each.
Measurement regular_run(std::uint32_t requests) {
  Measurement m = unwatched();
  m.passes.push_back({kLatencyPass, nullptr, 10ms, {}});
  m.probe.typical = 10ms;
  m.probe.requests_per_sample = requests;
  nanoseconds now{};
  for (std::uint32_t round = 0; round < 20; ++round) {
    for (int i = 0; i < 20; ++i) {
      const nanoseconds took = i < 2 ? 100ms : 10ms;
      const auto state = i < 2 ? SampleState::settling : SampleState::kept;
      m.passes[0].samples.push_back({now, now + took, now + took, 0ns, round, requests, state});
      now += took;
    }
  }
  m.end = now;
  m.cut = 0ns;
  return m;
}

Record analysed(const Measurement& m, const Options& o = {}) {
  Record r;
  analyse(m, o, r);
  return r;
}

Metric simulated_latency(const char* text, const Options& o) {
  SimulatedDevice device(parse_sim(text));
  SimulatedWorkload work(device);
  return analysed(measure_rounds(work, o), o).metrics.at("latency");
}

TEST(Analysis, CountsNoCompletionsOfSettlingSamples) {
  const Record r = analysed(regular_run(1));
  EXPECT_NEAR(r.metrics.at("period").estimate.value, 10e6, 1e-3);
  EXPECT_NEAR(r.metrics.at("throughput").estimate.value, 100, 1e-9);
}

TEST(Analysis, CountsEveryRequestOfASampleButNotThoseOfTheFirst) {
  const Record r = analysed(regular_run(50));
  EXPECT_NEAR(r.metrics.at("period").estimate.value, 200e3, 1e-3);
  EXPECT_NEAR(r.metrics.at("throughput").estimate.value, 5000, 1e-6);
}

TEST(Analysis, IsContentWithFiveCompletionsInARowWhereRequestsAreSlow) {
  Measurement m = regular_run(1);
  std::erase_if(m.passes[0].samples,
                [i = 0](const Sample&) mutable { return i++ % 20 >= 7; });  // two settling, five kept
  EXPECT_FALSE(analysed(m).metrics.at("throughput").known());
  m.probe.typical = 101ms;
  EXPECT_NEAR(analysed(m).metrics.at("throughput").estimate.value, 100, 1e-9);
}

TEST(Analysis, TakesTheWindowFromTheCutOn) {
  Measurement m = regular_run(1);
  m.cut = 800ms;
  const Record r = analysed(m);
  EXPECT_EQ(r.window_ns, to_double(m.end - 800ms));
  EXPECT_EQ(*r.startup.warmup_ns, 800e6);
}

TEST(Analysis, GivesDriftPerMinute) {
  const Metric m =
      simulated_latency("kernels=1x1ms,drift=0.001,noise=0.002", {.min_time = 10s, .max_time = 10s});  // a second
  EXPECT_NEAR(*m.facts.drift_per_minute, 0.06, 0.006);
}

TEST(Analysis, GivesALevelShiftAsTheLevelAfterOverTheLevelBefore) {
  const Metric m = simulated_latency("kernels=1x1ms,shift=1.1@7s,noise=0.005", {.min_time = 10s, .max_time = 10s});
  ASSERT_EQ(m.facts.shifts.size(), 1u);
  EXPECT_NEAR(m.facts.shifts[0].ratio, 1.1, 0.01);
  EXPECT_NEAR(m.facts.shifts[0].at_seconds, 7, 0.5);
}

TEST(Analysis, CallsAWarmUpLeftInTheFiguresABiasUpwards) {
  const Metric m = simulated_latency("kernels=1x1ms,warm=1.5:60,noise=0.005", {.warmup = 0, .requests = 300});
  ASSERT_TRUE(m.facts.warmup_bias);
  EXPECT_GT(*m.facts.warmup_bias, 0.01);
  EXPECT_LT(*m.facts.warmup_bias, 0.5);
}

TEST(Analysis, ComparesWithTheSecondHalfWhereNothingHasSettled) {
  Measurement m = unwatched();
  m.passes.push_back({kLatencyPass, nullptr, 1ms, {}});
  double all = 0, second_half = 0;
  for (int i = 0; i < 400; ++i) {
    // The best cut is at 46 %, too late to call what follows steady.
    const nanoseconds begin = i * 2ms, took = i < 184 ? 1500us : i < 200 ? 1000us + 300ns : 1000us;
    m.passes[0].samples.push_back({begin, begin + took, begin + took});
    all += to_double(took) / 400;
    if (i >= 200) second_half += to_double(took) / 200;
  }
  const Metric latency = analysed(m, {.warmup = 0}).metrics.at("latency");
  ASSERT_TRUE(latency.facts.warmup_bias);
  EXPECT_NEAR(*latency.facts.warmup_bias, all / second_half - 1, 1e-9);
}

}  // namespace
}  // namespace strobe
