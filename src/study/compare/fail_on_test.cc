// SPDX-License-Identifier: Apache-2.0
#include "study/compare/fail_on.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

Comparison ratio_of(std::string metric, Estimate ratio, std::string outcome = "slower",
                    std::optional<double> percentile = std::nullopt) {
  Comparison c;
  c.a = "a";
  c.b = "b";
  c.metric = std::move(metric);
  c.ratio = std::move(ratio);
  c.outcome = std::move(outcome);
  c.pairs = 32;
  c.percentile = percentile;
  return c;
}

Record comparison_record(std::vector<Comparison> comparisons) {
  Record r;
  r.verb = "compare";
  r.cases.resize(2);
  r.cases[0].name = "a";
  r.cases[1].name = "b";
  r.comparisons = std::move(comparisons);
  return r;
}

FailOn decided_as(const std::string& condition, Record r) {
  const std::vector<FailCondition> all{parse_fail_on(condition)};
  apply_fail_on(all, r);
  return r.fail_on.at(0);
}

Estimate within_ends(double low, double high) {
  return {(low + high) / 2, low, high, true, {}};
}

TEST(FailOn, ReadsAMetricAPercentileOrTheHeadline) {
  EXPECT_EQ(parse_fail_on("slower=2%").metric, "");
  EXPECT_DOUBLE_EQ(parse_fail_on("slower=2%").limit, 0.02);
  EXPECT_EQ(parse_fail_on("memory=0.1").metric, "memory");
  EXPECT_EQ(parse_fail_on("device_time=1%").text, "device_time=1%");
  EXPECT_DOUBLE_EQ(*parse_fail_on("p99.9=5%").percentile, 0.999);
  for (const char* bad : {"slower", "faster=2%", "p0=1%", "p100=1%", "p=1%", "latency=200%", "slower=-1%", "=2%"})
    EXPECT_THROW(parse_fail_on(bad), Error) << bad;
}

TEST(FailOn, FailsWhereTheIntervalLiesWhollyBeyondTheLimitWhateverTheWord) {
  for (const char* word : {"slower", "cannot-tell"}) {
    const FailOn f = decided_as("slower=2%", comparison_record({ratio_of("latency", within_ends(1.996, 2.035), word)}));
    EXPECT_EQ(f.outcome, "failed") << word;
    EXPECT_EQ(f.candidate, "b");
    EXPECT_NE(f.why.find("[1.996, 2.035]"), std::string::npos) << f.why;
  }
}

TEST(FailOn, PassesOnlyWhereTheIntervalLiesWithinTheLimit) {
  EXPECT_EQ(decided_as("slower=2%", comparison_record({ratio_of("latency", within_ends(0.99, 1.02))})).outcome,
            "passed");
  EXPECT_EQ(decided_as("slower=2%", comparison_record({ratio_of("latency", within_ends(0.5, 0.6), "faster")})).outcome,
            "passed");
  EXPECT_EQ(decided_as("slower=2%", comparison_record({ratio_of("latency", within_ends(0.99, 1.021))})).outcome,
            "cannot-tell");
}

TEST(FailOn, SaysHowManyPairsWouldDecide) {
  // ±2 % around 1.01 with 32 pairs; the limit is 1 % away: half the width takes four times as many.
  const FailOn f =
      decided_as("slower=2%", comparison_record({ratio_of("latency", within_ends(0.99, 1.03), "cannot-tell")}));
  EXPECT_EQ(f.outcome, "cannot-tell");
  EXPECT_NE(f.why.find("about 129 pairs"), std::string::npos) << f.why;
}

TEST(FailOn, WithoutAnIntervalNeverPasses) {
  Record r = comparison_record({ratio_of("latency", {0.9, std::nullopt, std::nullopt, true, {}}, "faster")});
  r.comparisons[0].needs = 5;
  r.settings["stored"] = true;
  const FailOn f = decided_as("slower=2%", r);
  EXPECT_EQ(f.outcome, "cannot-tell");
  EXPECT_NE(f.why.find("5 launches"), std::string::npos) << f.why;
}

TEST(FailOn, KnowsWhichWayAMetricIsWorse) {
  const Record r =
      comparison_record({ratio_of("latency", within_ends(1, 1)), ratio_of("throughput", within_ends(0.90, 0.91)),
                         ratio_of("memory", within_ends(0.4, 0.5), "smaller")});
  EXPECT_EQ(decided_as("throughput=5%", r).outcome, "failed");
  EXPECT_EQ(decided_as("throughput=10%", r).outcome, "passed");  // at most 10 % less
  EXPECT_EQ(decided_as("memory=10%", r).outcome, "passed");
  const Record more = comparison_record(
      {ratio_of("throughput", within_ends(1.4, 1.5), "faster"), ratio_of("memory", within_ends(1.4, 1.5))});
  EXPECT_EQ(decided_as("throughput=5%", more).outcome, "passed");
  EXPECT_EQ(decided_as("memory=10%", more).outcome, "failed");
}

TEST(FailOn, TakesThePercentileThatWasAskedFor) {
  const Record r = comparison_record({ratio_of("latency", within_ends(1.0, 1.001), "equivalent"),
                                      ratio_of("latency", within_ends(1.3, 1.5), "slower", 0.99)});
  EXPECT_EQ(decided_as("p99=5%", r).outcome, "failed");
  EXPECT_EQ(decided_as("slower=5%", r).outcome, "passed");
}

TEST(FailOn, SaysWhyThereIsNothingToDecideBy) {
  Record r = comparison_record({ratio_of("latency", within_ends(1.0, 1.001), "equivalent")});
  Metric latency;
  latency.n = 320;
  latency.percentiles = {{0.99, std::nullopt, 890u}};
  r.cases[0].metrics["latency"] = r.cases[1].metrics["latency"] = latency;
  r.cases[1].metrics["device_time"].unknown = "there is no gate";
  EXPECT_EQ(decided_as("memory=10%", r).why, "b has no memory");
  EXPECT_EQ(decided_as("device_time=1%", r).why, "device_time of b is unknown: there is no gate");
  EXPECT_EQ(decided_as("p99=5%", r).why, "p99 of latency needs 890 requests, and b has 320");
  for (const char* condition : {"memory=10%", "device_time=1%", "p99=5%"})
    EXPECT_EQ(decided_as(condition, r).outcome, "cannot-tell") << condition;
}

TEST(FailOn, DoubtsWhatItCouldNotDecide) {
  Record r = comparison_record({ratio_of("latency", within_ends(0.99, 1.03), "cannot-tell")});
  doubt_undecided(r);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].id, "undecided");
  EXPECT_EQ(r.findings[0].severity, Severity::warning);
  Record sure = comparison_record({ratio_of("latency", within_ends(0.99, 1.0), "equivalent"),
                                   ratio_of("throughput", within_ends(0.9, 1.1), "cannot-tell")});
  doubt_undecided(sure);
  EXPECT_TRUE(sure.findings.empty());
  const std::vector<FailCondition> all{parse_fail_on("throughput=5%")};
  apply_fail_on(all, sure);
  ASSERT_EQ(sure.findings.size(), 1u);
  EXPECT_EQ(sure.findings[0].id, "undecided");
}

TEST(FailOn, DoubtsOnceWhatAConditionCouldNotDecide) {
  Record r = comparison_record({ratio_of("latency", within_ends(0.99, 1.03), "cannot-tell")});
  const std::vector<FailCondition> all{parse_fail_on("slower=2%")};
  apply_fail_on(all, r);
  doubt_undecided(r);
  EXPECT_EQ(r.findings.size(), 1u);
  Record failed = comparison_record({ratio_of("latency", within_ends(1.2, 1.5), "cannot-tell")});
  apply_fail_on(all, failed);
  doubt_undecided(failed);
  EXPECT_TRUE(failed.findings.empty());  // sure enough to fail is no doubt
}

TEST(FailOn, TakesAReadingOrARateWhereThereIsNoLatency) {
  EXPECT_EQ(decided_as("slower=2%", comparison_record({ratio_of("reading", within_ends(1.1, 1.2))})).outcome, "failed");
  EXPECT_EQ(decided_as("slower=2%", comparison_record({ratio_of("throughput", within_ends(0.8, 0.9))})).outcome,
            "failed");
  EXPECT_EQ(decided_as("slower=2%", comparison_record({})).outcome, "cannot-tell");
}

}  // namespace
}  // namespace strobe
