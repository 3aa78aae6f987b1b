// SPDX-License-Identifier: Apache-2.0
// What changes over time, of each metric for itself: records made by hand.
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "verdict/detectors.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

Metric steady_metric(double median, double half_width) {
  Metric m;
  m.n = 1000;
  m.estimate = {median, median * (1 - half_width), median * (1 + half_width), true, {}};
  return m;
}

void let_drift(Metric& m, double by) {
  m.facts.drifting = true;
  m.facts.drift = by;
}

TEST(Drift, MovesTheResultByHalfOfItself) {
  Record r;
  r.metrics["latency"] = steady_metric(1e6, 0.001);
  let_drift(r.metrics["latency"], 0.018);  // from 0.9 % below to 0.9 % above
  ASSERT_EQ(drift(r).size(), 1U);
  EXPECT_EQ(drift(r)[0].severity, Severity::note);
  let_drift(r.metrics["latency"], -0.022);
  EXPECT_EQ(drift(r)[0].severity, Severity::warning);
}

// By metric, so that a test need not know their order.
std::map<std::string, Finding> by_metric(const std::vector<Finding>& findings) {
  std::map<std::string, Finding> found;
  for (const Finding& f : findings) found[f.metric] = f;
  EXPECT_EQ(found.size(), findings.size()) << "a metric twice";
  return found;
}

TEST(Drift, OfADeviceTimeIsFoundBesideAFarLargerOneOfTheLatency) {
  Record r;
  r.metrics["latency"] = steady_metric(1e6, 0.001);
  r.metrics["device_time"] = steady_metric(4e5, 0.001);
  let_drift(r.metrics["latency"], 0.15);
  let_drift(r.metrics["device_time"], 0.02);
  judge(r);
  const auto found = by_metric(r.findings);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at("latency").severity, Severity::warning);
  EXPECT_EQ(found.at("device_time").id, "drift");
  EXPECT_DOUBLE_EQ(found.at("device_time").evidence.at("drift"), 0.02);
}

TEST(Drift, OfADeviceTimeIsNoNoteBecauseTheLatencyIsNoisy) {
  Record r;
  r.metrics["latency"] = steady_metric(1e6, 0.3);
  r.metrics["device_time"] = steady_metric(4e5, 0.001);
  for (auto& [name, m] : r.metrics) let_drift(m, 0.04);
  const auto found = by_metric(drift(r));
  EXPECT_EQ(found.at("latency").severity, Severity::note);
  EXPECT_EQ(found.at("device_time").severity, Severity::warning);
}

// One with every signal of this file, of half the size in the device time.
Record unsteady() {
  Record r;
  for (const auto& [name, size] : {std::pair("latency", 0.2), std::pair("device_time", 0.1)}) {
    Metric& m = r.metrics[name] = steady_metric(1e6, 0.001);
    m.facts.warmup_bias = size;
    m.facts.shifts = {{1, 1 + size}};
    m.facts.modes = {{1e6, 0.5}, {1e6 * (1 + size), 0.5}};
    m.facts.coupled = true;
    m.facts.coupling = 1 + size;
  }
  for (const char* other : {"span", "submit", "latency_loaded"}) r.metrics[other] = r.metrics["latency"];
  return r;
}

TEST(TimeDetectors, NameEveryMetricThatCarriesTheResultAndNoOther) {
  const Record r = unsteady();
  std::vector<Finding> (*const all[])(const Record&) = {no_warm_up, level_shift, bimodal, pass_coupling};
  for (const auto detect : all) {
    const auto found = by_metric(detect(r));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_TRUE(found.contains("latency") && found.contains("device_time"));
    EXPECT_NE(found.at("device_time").message, found.at("latency").message);
    EXPECT_EQ(found.at("device_time").severity, Severity::warning);
  }
}

TEST(TimeDetectors, SayNothingOfAMetricThatIsUnknown) {
  Record r = unsteady();
  r.metrics["device_time"].unknown = "no gate";
  EXPECT_EQ(level_shift(r).size(), 1U);
}

TEST(LevelShift, IsAsLargeAsTheLargestStep) {
  Record r;
  r.metrics["latency"] = steady_metric(1e6, 0.001);
  r.metrics["latency"].facts.shifts = {{1, 1.2}, {2, 0.995}};
  const auto findings = level_shift(r);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::warning);  // by the first step, not by the last
  EXPECT_DOUBLE_EQ(findings[0].evidence.at("ratio"), 1.2);
  let_drift(r.metrics["latency"], 0.1);
  EXPECT_EQ(level_shift(r).size(), 1U);  // the step is larger than the drift that it looks like
  EXPECT_TRUE(drift(r).empty());
}

TEST(PassCoupling, IsToldWithItsSize) {
  Record r;
  r.metrics["latency"] = steady_metric(1e6, 0.001);
  r.metrics["latency"].facts.coupling = 1.03;
  EXPECT_TRUE(pass_coupling(r).empty());
  r.metrics["latency"].facts.coupled = true;
  ASSERT_EQ(pass_coupling(r).size(), 1U);
  EXPECT_EQ(pass_coupling(r)[0].severity, Severity::warning);
  EXPECT_NEAR(pass_coupling(r)[0].evidence.at("coupling"), 0.03, 1e-9);
}

}  // namespace
}  // namespace strobe
