// SPDX-License-Identifier: Apache-2.0
#include "study/compare/compare.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/simulated/simulated_device.h"

namespace strobe {
namespace {

CandidateOptions candidate(const std::string& model) {
  CandidateOptions c;
  c.name = model;
  c.run.open.model = model;
  return c;
}

ComparePlan of_pairs(std::size_t pairs) {
  ComparePlan o;
  o.pairs = pairs;
  o.in_process = true;
  return o;
}

Record compared(const std::vector<std::string>& models, ComparePlan o = of_pairs(8)) {
  for (const std::string& m : models) o.candidates.push_back(candidate(m));
  o.in_process = true;
  return compare(o);
}

const Comparison& of(const Record& r, const std::string& metric, std::size_t candidate = 1) {
  for (const Comparison& c : r.comparisons) {
    if (c.metric == metric && c.b == r.cases.at(candidate).name) return c;
  }
  throw std::out_of_range(metric);
}

TEST(Compare, FindsTheRatioOfEachMetric) {
  const Record r = compared({"sim:kernels=10x100us,launch=1us", "sim:kernels=10x102us,launch=1us"});
  EXPECT_NEAR(of(r, "device_time").ratio.value, 1.02, 1e-9);
  EXPECT_EQ(of(r, "device_time").outcome, "slower");
  EXPECT_EQ(of(r, "latency").outcome, "slower");
  EXPECT_NEAR(of(r, "throughput").ratio.value, 1 / 1.02, 1e-3);
  EXPECT_EQ(of(r, "throughput").outcome, "slower");  // a lower rate
  EXPECT_EQ(of(r, "latency").pairs, 8u);
  EXPECT_EQ(r.rounds, 32u);
  EXPECT_EQ(r.status, Status::fixed);
}

TEST(Compare, CallsTheSameModelEquivalent) {
  const Record r = compared({"sim:kernels=10x100us,noise=0.02,seed=1", "sim:kernels=10x100us,noise=0.02,seed=2"});
  EXPECT_EQ(of(r, "latency").outcome, "equivalent");
  EXPECT_NEAR(r.cases[0].metrics.at("latency").estimate.value, 1e6, 2e4);
}

TEST(Compare, TakesSeveralAgainstTheFirst) {
  const Record r = compared({"sim:kernels=1x100us", "sim:kernels=1x90us", "sim:kernels=1x120us"});
  EXPECT_EQ(of(r, "latency", 1).outcome, "faster");
  EXPECT_EQ(of(r, "latency", 2).outcome, "slower");
  EXPECT_EQ(of(r, "latency", 2).a, "sim:kernels=1x100us");
}

TEST(Compare, RunsAGraphCandidateAsAGraph) {
  ComparePlan o = of_pairs(2);
  o.candidates = {candidate("sim:kernels=20x1us,launch=5us"), candidate("sim:kernels=20x1us,launch=5us")};
  o.candidates[1].name = "graph";
  o.candidates[1].run.measure.graph = true;
  const Record r = compare(o);
  EXPECT_NEAR(r.cases[0].metrics.at("latency").estimate.value, 101'000, 1);
  EXPECT_NEAR(r.cases[1].metrics.at("latency").estimate.value, 25'000, 1);  // one launch and the kernels
}

TEST(Compare, TellsAQueueWithoutRoomFromWorkThatWaits) {
  const Record r = compared(
      {"sim:launch=1us,kernels=1200x1us,queue=1000", "sim:launch=1us,kernels=20x1us,hidden_sync=1"}, of_pairs(2));
  const auto unknown = [&](std::size_t side) { return r.cases.at(side).metrics.at("device_time").unknown; };
  EXPECT_NE(unknown(0).find("has room for 1000"), std::string::npos);
  EXPECT_NE(unknown(1).find("waits for its own work"), std::string::npos);
}

TEST(Compare, ShowsItsNoiseFloor) {
  ComparePlan o = of_pairs(8);
  o.noise_floor = true;
  const Record r = compared({"sim:kernels=1x100us", "sim:kernels=1x200us"}, o);
  ASSERT_EQ(r.cases.size(), 3u);
  EXPECT_EQ(r.cases[2].name, "sim:kernels=1x100us again");
  EXPECT_EQ(of(r, "latency", 2).ratio.value, 1);
}

TEST(Compare, TellsWithEightPairsWhatItTellsWithoutTheNoiseFloor) {
  ComparePlan o = of_pairs(8);
  for (const bool floor : {false, true}) {
    o.noise_floor = floor;
    const Record r = compared({"sim:kernels=1x100us", "sim:kernels=1x200us"}, o);
    EXPECT_EQ(of(r, "latency").outcome, "slower") << floor;
  }
}

ComparePlan failing_on(const std::string& condition, std::size_t pairs = 8) {
  ComparePlan o = of_pairs(pairs);
  o.noise_floor = true;
  o.fail_on = {parse_fail_on(condition)};
  return o;
}

TEST(Compare, FailsWhereTwiceAsSlowIsNotAllowed) {
  const Record r =
      compared({"sim:kernels=10x100us,noise=0.01", "sim:kernels=10x200us,noise=0.01,seed=2"}, failing_on("slower=2%"));
  ASSERT_EQ(r.fail_on.size(), 1u);
  EXPECT_EQ(r.fail_on[0].outcome, "failed") << r.fail_on[0].why;
  EXPECT_EQ(r.fail_on[0].candidate, r.cases[1].name);
}

TEST(Compare, RefusesAConditionThatItsPairsCannotDecide) {
  for (const std::size_t pairs : {1u, 2u, 4u, 6u, 7u}) {
    try {
      compared({"sim:kernels=1x100us", "sim:kernels=1x200us"}, failing_on("slower=2%", pairs));
      FAIL() << pairs;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::usage);
      EXPECT_NE(std::string(e.what()).find("8 pairs"), std::string::npos) << e.what();
    }
  }
}

TEST(Compare, NeverTrustsWhatItCouldNotDecide) {
  const Record r = compared({"sim:kernels=1x100us", "sim:kernels=1x200us"}, of_pairs(4));
  EXPECT_EQ(of(r, "latency").outcome, "cannot-tell");
  EXPECT_NE(r.verdict, Verdict::trusted);
  EXPECT_TRUE(std::any_of(r.findings.begin(), r.findings.end(), [](const Finding& f) { return f.id == "undecided"; }));
}

TEST(Compare, ComparesThePercentileOfACondition) {
  // Equal in the middle; one request in twenty takes five times as long.
  const std::string a = "sim:kernels=10x100us,noise=0.01", b = a + ",seed=2,modes=5@0.05:1";
  const Record r = compared({a, b}, failing_on("p99=50%"));
  const auto p99 =
      std::find_if(r.comparisons.begin(), r.comparisons.end(), [](const Comparison& c) { return c.percentile; });
  ASSERT_NE(p99, r.comparisons.end());
  EXPECT_EQ(p99->percentile, 0.99);
  EXPECT_NEAR(p99->ratio.value, 5, 0.5);
  EXPECT_EQ(r.fail_on[0].outcome, "failed") << r.fail_on[0].why;
  EXPECT_NEAR(of(r, "latency").ratio.value, 1, 0.02);
}

TEST(Compare, DescribesEveryCandidate) {
  ComparePlan o = of_pairs(2);
  o.candidates = {candidate("sim:kernels=1x100us"), candidate("sim:kernels=1x200us")};
  o.candidates[1].run.open.seed = 2;
  const Record r = compare(o);
  for (std::size_t i : {0u, 1u}) {
    ASSERT_TRUE(r.cases[i].model);
    EXPECT_EQ(r.cases[i].model->name, r.cases[i].name);
    EXPECT_EQ(r.cases[i].device->kind, "simulated");
  }
  EXPECT_EQ(std::get<std::int64_t>(r.cases[1].settings.at("seed")), 2);
  EXPECT_FALSE(r.settings.contains("seed"));  // not all have it
  EXPECT_TRUE(r.settings.contains("graph"));
}

TEST(Compare, RecordsTheOptionsOfTheComparisonAndOfEachCandidate) {
  ComparePlan o = of_pairs(3);
  o.candidates = {candidate("sim:kernels=1x100us"), candidate("sim:kernels=1x200us")};
  o.candidates[1].run.measure.in_flight = 2;
  o.margin = 0.02;
  o.max_time = 100s;
  const Record r = compare(o);
  const Scalars expected{{"pairs", std::int64_t{3}}, {"margin", 0.02},  {"max_time_ns", 100e9},
                         {"workers", false},         {"copies", false}, {"cache", std::string("hot")}};
  for (const auto& [key, value] : expected) EXPECT_EQ(r.settings.at(key), value) << key;
  EXPECT_EQ(r.cases[0].settings.at("in_flight"), Scalar(std::int64_t{4}));
  EXPECT_EQ(r.cases[1].settings.at("in_flight"), Scalar(std::int64_t{2}));
  EXPECT_FALSE(r.settings.contains("in_flight"));
}

TEST(Compare, PausesOnTheClockThatItIsGiven) {
  VirtualClock clock;
  ComparePlan o = of_pairs(2);
  o.clock = &clock;
  const Record r = compared({"sim:kernels=1x100us", "sim:kernels=1x200us"}, o);
  EXPECT_EQ(clock.now(), 2 * 4 * 2 * 2ms);  // 2 ms before each turn, and nothing else takes time
  EXPECT_EQ(r.duration_ns, 32e6);
}

TEST(Compare, KeepsTheOrderOfItsCandidates) {
  ComparePlan o = of_pairs(2);
  o.noise_floor = true;
  for (const char* name : {"threads=1", "threads=2", "threads=10"}) {
    o.candidates.push_back(candidate("sim:kernels=1x100us"));
    o.candidates.back().name = name;
  }
  std::vector<std::string> names;
  for (const Comparison& c : compare(o).comparisons) {
    if (c.metric == "latency") names.push_back(c.b);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"threads=2", "threads=10", "threads=1 again"}));
}

TEST(Compare, TakesWhatLaunchesDrawForNoDifference) {
  const std::string drawn = "sim:kernels=1x5ms,noise=0.005,launch_levels=1.036@0.33";
  std::size_t different = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    ComparePlan o = of_pairs(8);
    o.candidates = {candidate(drawn), candidate(drawn)};
    for (CandidateOptions& c : o.candidates) c.run.open.seed = seed;
    const std::string outcome = of(compare(o), "latency").outcome;
    different += outcome == "faster" || outcome == "slower";
  }
  EXPECT_LE(different, 1u);
}

TEST(Compare, SaysWhatItWouldFind) {
  const Record r = compared({"sim:kernels=1x1ms,launch_noise=0.003", "sim:kernels=1x1ms,launch_noise=0.003"});
  ASSERT_TRUE(of(r, "latency").detectable);
  EXPECT_GT(*of(r, "latency").detectable, 0.002);
  EXPECT_LT(*of(r, "latency").detectable, 0.02);
  EXPECT_FALSE(of(compared({"sim:tiny", "sim:tiny"}, of_pairs(2)), "latency").detectable);
}

TEST(Compare, GivesWhatThereIsWhenStopped) {
  int asked = 0;
  ComparePlan o = of_pairs(12);
  o.stop = [&] { return ++asked > 20'000; };
  const Record r = compared({"sim:kernels=1x1ms", "sim:kernels=1x2ms"}, o);
  EXPECT_EQ(r.status, Status::interrupted);
  EXPECT_GE(of(r, "latency").pairs, 1u);
  EXPECT_LT(of(r, "latency").pairs, 12u);
}

TEST(Compare, NeedsSomethingToCompareWith) {
  EXPECT_THROW(compared({"sim:kernels=1x1ms"}), Error);
}

TEST(Compare, SharesAProcessOnlyWhereNothingOfTheProcessDiffers) {
  CandidateOptions a = candidate("a.onnx"), b = candidate("b.onnx");
  EXPECT_TRUE(can_share_a_process({a, b}));
  b.run.open.threads = 2;
  EXPECT_TRUE(can_share_a_process({a, b}));  // each session has its own pool
  b.run.open.pin = "0";
  EXPECT_FALSE(can_share_a_process({a, b}));
  b.run.open.pin = a.run.open.pin;
  a.run.open.device = "cuda:0";
  b.run.open.device = "cuda:1";
  EXPECT_FALSE(can_share_a_process({a, b}));
  b.run.open.device = "cuda:0";
  EXPECT_TRUE(can_share_a_process({a, b}));
  EXPECT_FALSE(can_share_a_process({a, candidate("c.pt")}));
  CandidateOptions c = candidate("c.pt"), d = candidate("d.pt2");
  EXPECT_TRUE(can_share_a_process({c, d}));
  d.run.open.threads = 2;  // torch has one pool for all
  EXPECT_FALSE(can_share_a_process({c, d}));
}

}  // namespace
}  // namespace strobe
