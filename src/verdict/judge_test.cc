// SPDX-License-Identifier: Apache-2.0
#include "verdict/judge.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace strobe {
namespace {

Metric figure_of(double median, std::uint64_t n = 1000) {
  Metric m;
  m.n = n;
  m.estimate = {median, 0.999 * median, 1.001 * median, true, {}};
  return m;
}

Record sound() {
  Record r;
  r.status = Status::converged;
  r.strobe.build = "Release";
  r.metrics["latency"] = figure_of(1e6);
  return r;
}

bool has(const Record& r, std::string_view id) {
  for (const Finding& f : r.findings) {
    if (f.id == id) return true;
  }
  return false;
}

TEST(Judge, TrustsASoundMeasurement) {
  Record r = sound();
  judge(r);
  EXPECT_EQ(r.verdict, Verdict::trusted);
  EXPECT_TRUE(r.findings.empty());
}

TEST(Judge, NeverDoubtsANumberBecauseOfTheWorkload) {
  Record r = sound();
  r.metrics["span"] = figure_of(1e6);
  r.metrics["device_time"] = figure_of(2e5);
  judge(r);
  EXPECT_TRUE(has(r, "host-bound"));
  EXPECT_EQ(r.verdict, Verdict::trusted);
}

TEST(Judge, AsksForCautionWhenItDidNotConverge) {
  Record r = sound();
  r.status = Status::not_converged;
  judge(r);
  EXPECT_TRUE(has(r, "not-converged"));
  EXPECT_EQ(r.verdict, Verdict::caution);
}

// Of a search the rate is the answer; where its width is unknown, nobody says ±0 %.
TEST(Judge, TellsHowFarFromCertainItIsWhereThatIsKnown) {
  Record r = sound();
  r.verb = "throughput";
  r.status = Status::not_converged;
  r.metrics.clear();
  r.metrics["throughput"].n = 10;
  r.metrics["throughput"].estimate = {100, 90, 110, true, {}};
  judge(r);
  EXPECT_NEAR(r.findings.front().evidence.at("half_width"), 0.1, 1e-12);
  r.metrics["throughput"].estimate = {100, {}, {}, false, "few"};
  judge(r);
  EXPECT_FALSE(r.findings.front().evidence.contains("half_width"));
}

TEST(Judge, CallsASingleSampleInvalid) {
  Record r = sound();
  r.metrics["latency"].n = 1;
  judge(r);
  EXPECT_EQ(r.verdict, Verdict::invalid);
  EXPECT_EQ(r.findings.front().id, "one-sample");
}

TEST(Judge, JudgingTwiceGivesTheSame) {
  Record r = sound();
  r.status = Status::not_converged;
  judge(r);
  const std::string once = json(r);
  judge(r);
  EXPECT_EQ(json(r), once);
}

// A machine that runs a model on a shared, limited board and a host whose clock follows the load.
Record on_an_unsettled_machine() {
  Record r = sound();
  r.device.kind = "cuda";
  r.host = {{"governor", std::string("powersave")}, {"load", 7.5}, {"cores", std::int64_t{8}}};
  r.device.facts = {{"mps", true}, {"power_limit_w", 300.0}, {"power_limit_default_w", 700.0}};
  r.telemetry.facts["canary_excess"] = 0.2;
  return r;
}

TEST(Examine, SaysOfTheMachineWhatAVerdictSays) {
  Record r = on_an_unsettled_machine();
  const std::vector<Finding> before = examine(r);
  judge(r);
  for (const char* id : {"governor", "noisy-host", "shared-gpu", "power-limit"}) {
    const auto is = [&](const Finding& f) { return f.id == id; };
    const auto a = std::find_if(before.begin(), before.end(), is);
    const auto b = std::find_if(r.findings.begin(), r.findings.end(), is);
    ASSERT_NE(a, before.end()) << id;
    ASSERT_NE(b, r.findings.end()) << id;
    EXPECT_EQ(a->severity, b->severity) << id;
    EXPECT_EQ(a->message, b->message) << id;
  }
}

TEST(Examine, SaysNothingOfAMeasurementAndAVerdictNothingThatOnlyThreatensOne) {
  Record r = on_an_unsettled_machine();
  r.status = Status::not_converged;
  const std::vector<Finding> before = examine(r);
  judge(r);
  const auto among = [](const std::vector<Finding>& all, std::string_view id) {
    return std::any_of(all.begin(), all.end(), [&](const Finding& f) { return f.id == id; });
  };
  EXPECT_FALSE(among(before, "not-converged"));
  EXPECT_TRUE(among(r.findings, "not-converged"));
  EXPECT_TRUE(among(before, "load"));
  EXPECT_FALSE(among(r.findings, "load"));
}

TEST(DoubtsInputs, WhereOthersWouldTellHowMuchTheyMatter) {
  Record r = sound();
  EXPECT_FALSE(doubts_inputs(r));
  r.observations.input_zero_share = 0.9;
  EXPECT_TRUE(doubts_inputs(r));
}

TEST(TraitsOf, AFindingThatNoDetectorMakesAreTheUsual) {
  EXPECT_FALSE(traits_of(Finding{.id = "brand-new"}).survives_turns);
  EXPECT_TRUE(traits_of(Finding{.id = "output-mismatch"}).survives_turns);
  EXPECT_TRUE(traits_of(Finding{.id = "one-launch"}).of_one_launch);
}

TEST(VerdictOf, IsTheWorstOfItsFindingsInAnyOrder) {
  const Finding wrong{.id = "one-sample", .severity = Severity::invalid},
      doubtful{.id = "drift", .severity = Severity::warning}, noted{.id = "governor", .severity = Severity::note};
  EXPECT_EQ(verdict_of(std::vector{wrong, doubtful, noted}), Verdict::invalid);
  EXPECT_EQ(verdict_of(std::vector{noted, doubtful, wrong}), Verdict::invalid);
  EXPECT_EQ(verdict_of(std::vector{doubtful, noted}), Verdict::caution);
  EXPECT_EQ(verdict_of(std::vector{noted}), Verdict::trusted);
}

}  // namespace
}  // namespace strobe
