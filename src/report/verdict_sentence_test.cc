// SPDX-License-Identifier: Apache-2.0
#include "report/verdict_sentence.h"

#include <gtest/gtest.h>

#include "testing/sample_records.h"

namespace strobe {
namespace {

using namespace strobe::testing;

Record doubted(std::vector<Finding> findings, Verdict verdict = Verdict::caution) {
  Record r = sample_run();
  r.findings = std::move(findings);
  r.verdict = verdict;
  return r;
}

const Finding kPreempted{.id = "preempted",
                         .about = About::machine,
                         .severity = Severity::warning,
                         .message = "the measuring thread lost its CPU 900 times",
                         .evidence = {{"share", 0.6}, {"effect", 0.14}}};

TEST(VerdictSentence, SaysHowMuchAndThenWhy) {
  EXPECT_EQ(verdict_sentence(doubted({kPreempted})), "caution: ±14 %: something else took the CPU 60 % of the time");
}

TEST(VerdictSentence, TakesTheLargerOfIntervalAndEffects) {
  const Finding drift{.id = "drift", .severity = Severity::warning, .message = "m", .evidence = {{"drift", 0.5}}};
  EXPECT_EQ(verdict_reason(doubted({kPreempted, drift})), "±25 %: something else took the CPU 60 % of the time");
  Record vague = doubted({kPreempted});
  vague.metrics["latency"].estimate = around(1.87e6, 0.3);
  EXPECT_EQ(verdict_reason(vague), "±30 %: something else took the CPU 60 % of the time");
  Finding hopeless = kPreempted;
  hopeless.evidence["effect"] = 18.5;
  EXPECT_EQ(verdict_reason(doubted({hopeless})), "more than 100 %: something else took the CPU 60 % of the time");
}

TEST(VerdictSentence, GivesNoSizeWhereNobodyKnowsIt) {
  const Finding profiler{.id = "profiler-attached", .severity = Severity::warning, .message = "a profiler is attached"};
  EXPECT_EQ(verdict_sentence(doubted({profiler})), "caution: a profiler is attached");
  const Finding wrong{.id = "output-mismatch", .severity = Severity::invalid, .message = "the outputs differ by 3 %"};
  EXPECT_EQ(verdict_sentence(doubted({kPreempted, wrong}, Verdict::invalid)), "invalid: the outputs differ by 3 %");
}

TEST(VerdictSentence, TakesTheIntervalForTheSizeWhereSamplesAreThin) {
  const Finding few{.id = "too-few-samples", .severity = Severity::warning, .message = "there are 8 samples"};
  Record r = doubted({few});
  r.metrics["latency"].estimate = around(1.87e6, 0.08);
  EXPECT_EQ(verdict_sentence(r), "caution: ±8.0 %: there are 8 samples");
  r.metrics["latency"].estimate.high.reset();
  EXPECT_EQ(verdict_sentence(r), "caution: there are 8 samples");
}

TEST(VerdictSentence, OfATrustedResultGivesItsInterval) {
  const Finding note{.id = "governor", .severity = Severity::note, .message = "m"};
  EXPECT_EQ(verdict_sentence(doubted({note}, Verdict::trusted)),
            "trusted: ±1.0 %: nothing was seen that could move it further");
  Record r = sample_compare();
  r.findings.clear();
  r.verdict = Verdict::trusted;
  EXPECT_EQ(verdict_sentence(r), "trusted: ±1.3 %: nothing was seen that could move it further");
  r.metrics.clear();
  r.comparisons.clear();
  EXPECT_EQ(verdict_reason(r), "nothing was seen that could move a result by more than its interval");
}

TEST(VerdictSentence, OfAMachineAndOfASelfTestNamesNoNumberThatWasNotMeasured) {
  Record r;
  r.verb = "doctor";
  EXPECT_EQ(verdict_sentence(r), "trusted: nothing here would spoil a measurement");
  r.verb = "selftest";
  r.cases = {sample_case("a", {}, {}), failed_case("b", {}, "it is 3, not 2")};
  r.verdict = Verdict::invalid;
  EXPECT_EQ(verdict_sentence(r), "invalid: 1 of 2 checks failed");
}

TEST(VerdictSentence, SaysThatAMeasurementWasCutShort) {
  Record r = doubted({}, Verdict::trusted);
  r.status = Status::interrupted;
  EXPECT_NE(verdict_sentence(r).find("(interrupted: partial result)"), std::string::npos);
  r.status_reason = "out of memory";
  EXPECT_NE(verdict_sentence(r).find("(partial result, it failed: out of memory)"), std::string::npos);
}

}  // namespace
}  // namespace strobe
