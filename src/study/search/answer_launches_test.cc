// SPDX-License-Identifier: Apache-2.0
#include "study/search/answer_launches.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

Record launch(double rate) {
  Record r;
  r.verb = "trial";
  r.status = Status::fixed;
  r.window_ns = 1e9;
  Metric& m = r.metrics["throughput"];
  m.unit = "items/s";
  m.n = 1000;
  m.n_eff = 1000;
  m.estimate = {rate, 0.999 * rate, 1.001 * rate, true, {}};
  return r;
}

// A search whose luckiest trial read 120 /s.
Record searched() {
  Record r = launch(120);
  r.verb = "throughput";
  Case& c = r.cases.emplace_back();
  c.name = "batch 4";
  c.outcome = "fits";
  c.metrics = r.metrics;
  return r;
}

TEST(AnswerLaunches, AloneAreReported) {
  Record r = searched();
  answer_with_launches({launch(100), launch(101), launch(99)}, 0.02, r);
  EXPECT_DOUBLE_EQ(r.metrics.at("throughput").estimate.value, 100);
  EXPECT_LT(*r.metrics.at("throughput").estimate.low, 99);
  EXPECT_GT(*r.metrics.at("throughput").estimate.high, 101);
  EXPECT_LT(*r.metrics.at("throughput").estimate.high, 120);
  EXPECT_EQ(r.launches.size(), 3u);
  EXPECT_DOUBLE_EQ(r.cases.at(0).metrics.at("throughput").estimate.value, 120);
}

TEST(AnswerLaunches, SayWhetherTheRateRepeats) {
  Record apart = searched(), alike = searched();
  answer_with_launches({launch(100), launch(106), launch(95)}, 0.02, apart);
  EXPECT_EQ(apart.metrics.at("throughput").verdict->word, Repeat::varies);
  EXPECT_EQ(apart.verdict, Verdict::caution);
  answer_with_launches({launch(100), launch(100.1), launch(99.9)}, 0.02, alike);
  EXPECT_EQ(alike.metrics.at("throughput").verdict->word, Repeat::repeats);
  EXPECT_EQ(alike.verdict, Verdict::trusted);
}

TEST(AnswerLaunches, TakeTheDoubtsOfASingleTrialBackAndKeepThoseOfTheSearch) {
  Record r = searched();
  r.findings = {{.id = "noisy-host", .about = About::machine, .severity = Severity::warning, .message = "noisy"},
                {.id = "trials-disagree", .severity = Severity::warning, .message = "two trials differ"}};
  answer_with_launches({launch(100), launch(100.1), launch(99.9)}, 0.02, r);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].id, "trials-disagree");
  EXPECT_EQ(r.verdict, Verdict::caution);
}

}  // namespace
}  // namespace strobe
