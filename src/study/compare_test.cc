#include "study/compare.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

CandidateOptions candidate(const std::string& model) {
  CandidateOptions c;
  c.name = model;
  c.run.open.model = model;
  return c;
}

Record compared(const std::vector<std::string>& models, CompareOptions o = {}) {
  for (const std::string& m : models) o.candidates.push_back(candidate(m));
  if (o.rounds == 32) o.rounds = 12, o.loads = 2;
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
  EXPECT_EQ(of(r, "latency").pairs, 12u);
  EXPECT_EQ(r.status, Status::fixed);
}

TEST(Compare, CallsTheSameModelEquivalent) {
  const Record r = compared({"sim:kernels=10x100us,noise=0.02,seed=1", "sim:kernels=10x100us,noise=0.02,seed=2"});
  EXPECT_EQ(of(r, "latency").outcome, "equivalent");
  EXPECT_NEAR(r.cases[0].metrics.at("latency").median.value, 1e6, 2e4);
}

TEST(Compare, TakesSeveralAgainstTheFirst) {
  const Record r = compared({"sim:kernels=1x100us", "sim:kernels=1x90us", "sim:kernels=1x120us"});
  EXPECT_EQ(of(r, "latency", 1).outcome, "faster");
  EXPECT_EQ(of(r, "latency", 2).outcome, "slower");
  EXPECT_EQ(of(r, "latency", 2).a, "sim:kernels=1x100us");
}

TEST(Compare, RunsAGraphCandidateAsAGraph) {
  CompareOptions o;
  o.candidates = {candidate("sim:kernels=20x1us,launch=5us"), candidate("sim:kernels=20x1us,launch=5us")};
  o.candidates[1].name = "graph";
  o.candidates[1].run.measure.graph = true;
  const Record r = compare(o);
  EXPECT_NEAR(r.cases[0].metrics.at("latency").median.value, 101'000, 1);
  EXPECT_NEAR(r.cases[1].metrics.at("latency").median.value, 25'000, 1);  // one launch and the kernels
}

TEST(Compare, ShowsItsNoiseFloor) {
  CompareOptions o;
  o.noise_floor = true;
  const Record r = compared({"sim:kernels=1x100us", "sim:kernels=1x200us"}, o);
  ASSERT_EQ(r.cases.size(), 3u);
  EXPECT_EQ(r.cases[2].name, "sim:kernels=1x100us again");
  EXPECT_EQ(of(r, "latency", 2).ratio.value, 1);
}

TEST(Compare, KeepsTheOrderOfItsCandidates) {
  CompareOptions o;
  o.noise_floor = true;
  o.rounds = 4;
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

TEST(Compare, GivesWhatThereIsWhenStopped) {
  int asked = 0;
  CompareOptions o;
  o.stop = [&] { return ++asked > 2000; };
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
  b.run.open.options.threads = 2;
  EXPECT_TRUE(can_share_a_process({a, b}));  // each session has its own pool
  b.run.open.pin = "0";
  EXPECT_FALSE(can_share_a_process({a, b}));
  b.run.open.pin = a.run.open.pin, a.run.open.device = "cuda:0", b.run.open.device = "cuda:1";
  EXPECT_FALSE(can_share_a_process({a, b}));
  b.run.open.device = "cuda:0";
  EXPECT_TRUE(can_share_a_process({a, b}));
  EXPECT_FALSE(can_share_a_process({a, candidate("c.pt")}));
  CandidateOptions c = candidate("c.pt"), d = candidate("d.pt2");
  EXPECT_TRUE(can_share_a_process({c, d}));
  d.run.open.options.threads = 2;  // torch has one pool for all
  EXPECT_FALSE(can_share_a_process({c, d}));
}

}  // namespace
}  // namespace strobe
