// SPDX-License-Identifier: Apache-2.0
#include "study/compare/compare_records.h"

#include <cmath>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "record/metric_info.h"
#include "study/merge_launches.h"

namespace strobe {
namespace {

Record record(std::vector<double> medians) {
  std::vector<Record> launches;
  for (const double ns : medians) {
    Record r;
    r.verb = "run";
    r.host = {{"cpu", std::string("x")}, {"name", std::string("runner-1")}};
    r.device.kind = r.device.name = "cpu";
    r.settings = {{"cache", std::string("hot")}, {"effort", std::string("quick")}};
    Metric m;
    m.n = 100;
    m.estimate = {ns, ns * 0.999, ns * 1.001, true, {}};
    m.percentiles = {{0.9, Estimate{ns * 1.1, ns, ns * 1.2, true, {}}, std::nullopt}};
    m.curve = {{0, 1, 2, 3, 4}};
    r.metrics["latency"] = m;
    launches.push_back(r);
  }
  return launches.size() == 1 ? launches.front() : merge_launches(std::move(launches), 0.02);
}

const std::vector<double> kBase{1.00e6, 1.01e6, 0.99e6, 1.005e6, 0.995e6};

Record against(Record b, CompareRecordsPlan o = {}) {
  return compare_stored({{"a.json", record(kBase)}, {"b.json", std::move(b)}}, o);
}

TEST(Launches, GiveFiguresThatSpeakOfLaunches) {
  const Record r = record(kBase);
  EXPECT_EQ(r.launches.size(), 5u);
  EXPECT_EQ(r.launches[1].metrics.at("latency").estimate.value, 1.01e6);
  EXPECT_TRUE(r.launches[1].metrics.at("latency").curve.empty());
  const Metric& m = r.metrics.at("latency");
  EXPECT_EQ(m.n, 500u);
  EXPECT_EQ(m.n_eff, 5);
  EXPECT_NEAR(m.estimate.value, 1e6, 100);
  // sd of the logarithms 0.79 %, t(4) 2.776, of one more launch and of the mean of five
  EXPECT_NEAR(std::log(*m.estimate.high / m.estimate.value), 0.00791 * 2.776 * std::sqrt(1 + 1.0 / 5), 1e-4);
  EXPECT_NEAR(m.percentiles[0].estimate->value, 1.1e6, 200);
}

TEST(CompareRecords, TellsASureChange) {
  const Record r = against(record({1.05e6, 1.06e6, 1.04e6, 1.055e6, 1.045e6}));
  ASSERT_EQ(r.comparisons.size(), 1u);
  EXPECT_EQ(r.comparisons[0].outcome, "slower");
  EXPECT_NEAR(r.comparisons[0].ratio.value, 1.05, 0.001);
  EXPECT_EQ(r.comparisons[0].pairs, 5u);
  EXPECT_EQ(r.verdict, Verdict::trusted);
}

TEST(CompareRecords, KnowsWhichWayAMetricIsBetter) {
  Record a = record({1e6}), b = record({1e6});
  a.metrics["memory"].estimate.value = 1e9;
  b.metrics["memory"].estimate.value = 2e9;
  a.metrics["throughput"].estimate.value = 500;
  b.metrics["throughput"].estimate.value = 1000;
  for (const Comparison& c : compare_stored({{"a.json", a}, {"b.json", b}}, {}).comparisons) {
    EXPECT_EQ(c.outcome == "larger", c.metric == "memory") << c.metric;
    EXPECT_EQ(c.outcome == "faster", c.metric == "throughput") << c.metric;
    EXPECT_EQ(is_worse(c), c.metric == "memory") << c.metric;
  }
}

TEST(CompareRecords, DoesNotTellWhatTheLaunchesHide) {
  EXPECT_EQ(against(record({1.01e6, 1.02e6, 1.00e6, 1.015e6, 1.0e6})).comparisons[0].outcome, "cannot-tell");
}

TEST(CompareRecords, DoubtsASingleLaunch) {
  const Record r = against(record({1.015e6}));
  EXPECT_EQ(r.comparisons[0].outcome, "cannot-tell");
  ASSERT_EQ(r.findings.size(), 2u);
  EXPECT_EQ(r.findings[0].id, "few-launches");
  EXPECT_EQ(r.findings[1].id, "undecided");
  EXPECT_EQ(r.verdict, Verdict::caution);
}

TEST(CompareRecords, TakesLoadsInOneProcessForASingleLaunch) {
  Record loads = record({1.015e6, 1.016e6, 1.014e6, 1.015e6, 1.015e6});
  EXPECT_EQ(against(loads).comparisons[0].pairs, 5u);
  loads.one_process = true;
  const Record r = against(loads);
  EXPECT_EQ(r.comparisons[0].pairs, 1u);
  EXPECT_FALSE(r.comparisons[0].ratio.bounded());
  EXPECT_EQ(r.comparisons[0].outcome, "cannot-tell");
  EXPECT_EQ(r.cases.at(1).launches, 1u);
  EXPECT_EQ(r.findings.at(0).id, "few-launches");
}

TEST(CompareRecords, RefusesOtherConditionsAndNamesThem) {
  Record b = record(kBase);
  b.host["cpu"] = std::string("y");
  b.settings["cache"] = std::string("cold");
  b.settings["effort"] = std::string("standard");  // how long, not what
  b.host["name"] = std::string("runner-2");
  try {
    against(b);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::usage);
    EXPECT_EQ(e.cause(), "a.json and b.json differ in cpu: x and y; a.json and b.json differ in cache: hot and cold");
  }
  b.started_at = "2026-01-02T03:04:05Z";
  const Record forced = against(b, {.force = true});
  EXPECT_EQ(forced.cases[1].launches, 5u);
  EXPECT_EQ(forced.cases[1].started_at, b.started_at);
  EXPECT_EQ(forced.cases[1].settings.count("started_at"), 0u);
  ASSERT_EQ(forced.findings.size(), 3u);
  EXPECT_EQ(forced.findings[0].id, "conditions-differ");
  EXPECT_EQ(forced.findings[1].id, "conditions-differ");
  EXPECT_EQ(forced.findings[2].id, "undecided");  // five launches that spread by 0.8 % cannot show 1 %
  EXPECT_EQ(forced.verdict, Verdict::caution);
}

// What a test changes, and the condition that it must be called.
struct OtherCondition {
  const char* key;
  void (*change)(Record&);
};

TEST(CompareRecords, RefusesEveryConditionThatTheCommandLineSets) {
  const OtherCondition all[] = {
      {"inputs", [](Record& r) { r.model.inputs[0].shape = {1, 3, 112, 112}; }},
      {"inputs", [](Record& r) { r.model.inputs[0].source = "random [0, 100)"; }},
      {"inputs", [](Record& r) { r.model.inputs[0].type = "f16"; }},
      {"inputs", [](Record& r) { r.model.inputs.push_back(r.model.inputs[0]); }},
      {"dtype", [](Record& r) { r.settings["dtype"] = std::string("fp16"); }},
      {"pin", [](Record& r) { r.settings["pin"] = std::string("0"); }},
      {"optimize", [](Record& r) { r.model.facts["optimize"] = false; }},
      {"threads", [](Record& r) { r.settings["threads"] = std::int64_t{2}; }},
      {"verb", [](Record& r) { r.verb = "throughput"; }},
  };
  Record a = record(kBase);
  a.model.inputs = {{"x", "f32", {1, 3, 224, 224}, "random"}};
  for (const OtherCondition& other : all) {
    Record b = a;
    other.change(b);
    const auto differing = differing_conditions(a, b);
    ASSERT_EQ(differing.size(), 1u) << other.key;
    EXPECT_EQ(differing[0].key, other.key);
    EXPECT_THROW(compare_stored({{"a", a}, {"b", b}}, {}), Error) << other.key;
    EXPECT_EQ(compare_stored({{"a", a}, {"b", b}}, {.force = true}).verdict, Verdict::caution) << other.key;
    // What is meant to differ is no doubt; that these launches cannot show 1 % still is.
    for (const Finding& f : compare_stored({{"a", a}, {"b", b}}, {.allow = {other.key}}).findings)
      EXPECT_NE(f.id, "conditions-differ") << other.key;
  }
}

TEST(CompareRecords, TakesAnInputOfAnotherNameForTheSame) {
  Record a = record(kBase);
  a.model.inputs = {{"x", "f32", {1, 3, 224, 224}, "random"}};
  Record b = a;
  b.model.inputs[0].name = "pixels";
  EXPECT_TRUE(differing_conditions(a, b).empty());
}

TEST(CompareRecords, DescribesEveryCandidate) {
  Record a = record(kBase), b = record(kBase);
  a.model.name = "a.onnx";
  b.model.name = "b.onnx";
  b.model.runtime_version = "1.2";
  const Record r = compare_stored({{"a.json", a}, {"b.json", b}}, {});
  EXPECT_EQ(r.cases[0].model->name, "a.onnx");
  EXPECT_EQ(r.cases[1].model->name, "b.onnx");
  EXPECT_EQ(r.cases[1].model->runtime_version, "1.2");
  EXPECT_EQ(r.cases[1].device->kind, "cpu");
}

TEST(CompareRecords, DecideConditionsByLaunches) {
  const Record slow = record({1.05e6, 1.06e6, 1.04e6, 1.055e6, 1.045e6});
  EXPECT_EQ(against(slow, {.fail_on = {parse_fail_on("slower=2%")}}).fail_on.at(0).outcome, "failed");
  EXPECT_EQ(against(slow, {.fail_on = {parse_fail_on("slower=20%")}}).fail_on.at(0).outcome, "passed");
  EXPECT_EQ(against(slow, {.fail_on = {parse_fail_on("p90=2%")}}).fail_on.at(0).outcome, "failed");
  const Record undecided = against(slow, {.fail_on = {parse_fail_on("memory=2%")}});
  EXPECT_EQ(undecided.fail_on.at(0).outcome, "cannot-tell");
  EXPECT_EQ(undecided.verdict, Verdict::caution);
  EXPECT_EQ(against(record({2e6}), {.fail_on = {parse_fail_on("slower=2%")}}).fail_on.at(0).outcome, "cannot-tell");
}

TEST(CompareRecords, RefusesOtherClocks) {
  Record a = record(kBase), b = record(kBase);
  a.observations.clocks_per_pass["latency"] = 1980;
  b.observations.clocks_per_pass["latency"] = 1960;
  EXPECT_TRUE(differing_conditions(a, b).empty());
  b.observations.clocks_per_pass["latency"] = 1900;
  EXPECT_EQ(differing_conditions(a, b),
            (std::vector<ConditionDifference>{{"clock", "clock during latency: 1980 and 1900 MHz"}}));
}

TEST(CompareRecords, SaysWhatItCannotSee) {
  const Record r = against(record(kBase));
  EXPECT_EQ(r.comparisons[0].outcome, "cannot-tell");  // five launches that spread by 0.8 % cannot show 1 %
  EXPECT_NEAR(r.noise_floor.value_or(0), 0.0115, 0.002);
}

}  // namespace
}  // namespace strobe
