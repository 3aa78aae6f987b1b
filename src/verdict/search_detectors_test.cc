// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testing/sample_records.h"
#include "verdict/detectors.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

// A search with a second trial of batch 16, at this share of the first one's rate.
Record repeated(double share) {
  Record r = testing::sample_throughput();
  r.findings.clear();
  Case again = r.cases.front();
  Estimate& rate = again.metrics.at("throughput").estimate;
  rate = testing::around(share * rate.value);
  r.metrics["throughput"] = r.cases.front().metrics.at("throughput");
  r.cases.push_back(again);
  return r;
}

TEST(TrialsDisagree, FiresWhenRepeatsDifferByMoreThanTheirIntervals) {
  Record r = repeated(0.2);
  const auto f = trials_disagree(r);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->severity, Severity::warning);
  EXPECT_NEAR(f->evidence.at("effect"), 0.8, 1e-9);
  EXPECT_NE(f->message.find("batch 16 ran at 800 /s and at 160 /s"), std::string::npos) << f->message;
  judge(r);
  EXPECT_EQ(r.verdict, Verdict::caution);
}

TEST(TrialsDisagree, IsSilentWhereIntervalsMeet) {
  EXPECT_FALSE(trials_disagree(repeated(0.985)));  // ±1 % each
  EXPECT_TRUE(trials_disagree(repeated(0.975)));
  EXPECT_FALSE(trials_disagree(testing::sample_throughput()));
}

TEST(TrialsDisagree, IsSilentAboutDifferentPoints) {
  Record r = repeated(0.2);
  r.cases.back().settings["streams"] = std::int64_t{2};
  EXPECT_FALSE(trials_disagree(r));
  r = repeated(0.2);
  r.cases.back().outcome = "wrong-output";
  EXPECT_FALSE(trials_disagree(r));
}

}  // namespace
}  // namespace strobe
