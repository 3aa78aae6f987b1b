#include "verdict/judge.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

Metric figure_of(double median, std::uint64_t n = 1000) {
  Metric m;
  m.n = n;
  m.median = {median, 0.999 * median, 1.001 * median, true, {}};
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

}  // namespace
}  // namespace strobe
