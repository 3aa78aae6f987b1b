// SPDX-License-Identifier: Apache-2.0
// What the parts of somebody else's time give, and near cases that give nothing.
#include <gtest/gtest.h>

#include "record/study_info.h"
#include "verdict/detectors.h"

namespace strobe {
namespace {

Metric of_us(double value, double tick = 0) {
  Metric m;
  m.n = 1000;
  m.estimate.value = 1e3 * value;
  m.facts.tick = 1e3 * tick;
  return m;
}

// Copies of 100 µs and 50 µs around 1 ms of work, which the host hands over in 200 µs.
Record of_trtexec() {
  Record r;
  r.verb = verb::audit;
  r.metrics = {{"reading", of_us(1150)},
               {"span", of_us(1000)},
               {"submit", of_us(200)},
               {"copy_in", of_us(100)},
               {"copy_out", of_us(50)}};
  return r;
}

TEST(CopiesInsideReading, AreNotedWithTheirShare) {
  const auto finding = copies_inside_reading(of_trtexec());
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::note);
  EXPECT_EQ(finding->message, "the copies of inputs and outputs are inside the reading: 13 % of it, 150 µs");
  Record r = of_trtexec();
  r.metrics["copy_in"] = of_us(980);
  EXPECT_NE(copies_inside_reading(r)->message.find("longer than the work"), std::string::npos);
}

TEST(CopiesInsideReading, AreNoFindingWhereThereAreNoneOrHardlyAny) {
  Record r = of_trtexec();
  r.metrics["copy_in"] = of_us(6);
  r.metrics["copy_out"] = of_us(5);
  EXPECT_FALSE(copies_inside_reading(r)) << "under 1 %";
  r.metrics.erase("copy_in");
  r.metrics.erase("copy_out");
  EXPECT_FALSE(copies_inside_reading(r));
  r = of_trtexec();
  r.verb = verb::run;
  EXPECT_FALSE(copies_inside_reading(r)) << "Strobe's own copies are in no other metric";
}

TEST(SubmitFillsSpan, WhereTheHostIsNearlyAsSlowAsTheSpan) {
  Record r = of_trtexec();
  EXPECT_FALSE(submit_fills_span(r));
  r.metrics["submit"] = of_us(790);
  EXPECT_FALSE(submit_fills_span(r));
  r.metrics["submit"] = of_us(810);
  const auto finding = submit_fills_span(r);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->id, "host-bound");
  EXPECT_EQ(finding->about, About::workload);
  EXPECT_NE(finding->message.find("takes the host 810 µs"), std::string::npos) << finding->message;
}

TEST(SubmitFillsSpan, IsNoFindingWithinHalfATickOfTheSubmit) {
  Record r = of_trtexec();
  r.metrics["span"] = of_us(20);
  r.metrics["submit"] = of_us(20, 10);
  EXPECT_FALSE(submit_fills_span(r));
  r.metrics["submit"] = of_us(30, 10);
  EXPECT_TRUE(submit_fills_span(r));
}

TEST(SubmitFillsSpan, IsAskedOfForeignTimesAlone) {
  Record r = of_trtexec();
  r.metrics["submit"] = of_us(990);
  r.verb = verb::run;
  EXPECT_FALSE(submit_fills_span(r)) << "a span begins on an idle device: it contains the submit";
}

// Its stamps have steps of 10 µs, and no other time does.
TEST(TimerResolution, OfAForeignSubmitSpoilsNothingElse) {
  Record r = of_trtexec();
  r.metrics["submit"] = of_us(40, 10);
  const auto finding = timer_resolution(r);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::note);
  EXPECT_NE(finding->message.find("submit is only 4.0 ticks"), std::string::npos) << finding->message;
  r.metrics["span"] = of_us(1000, 62.5);
  EXPECT_EQ(timer_resolution(r)->severity, Severity::warning) << "the span's own clock comes first";
  r.verb = verb::run;
  r.metrics["span"] = of_us(1000, 1);
  EXPECT_FALSE(timer_resolution(r));
}

}  // namespace
}  // namespace strobe
