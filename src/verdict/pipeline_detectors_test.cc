// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "verdict/detectors.h"

namespace strobe {
namespace {

Record with_marks(double low, double value, double high, std::uint64_t rounds) {
  Record r;
  r.verb = "pipeline";
  r.comparisons = {{"undisturbed", "sync", "latency", {1.5, 1.4, 1.6, true, {}}, "slower", rounds, {}},
                   {"undisturbed", "event", "latency", {value, low, high, true, {}}, "cannot-tell", rounds, 120}};
  return r;
}

TEST(Disturbed, IsSilentWhenTheUpperLimitIsWithinOnePerCent) {
  EXPECT_FALSE(disturbed(with_marks(0.999, 1.004, 1.0099, 32)));
  EXPECT_FALSE(disturbed(Record{}));
}

TEST(Disturbed, CannotTellAboveThatOrWithFewerThan32Rounds) {
  const auto wide = disturbed(with_marks(0.99, 1.004, 1.012, 32));
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->severity, Severity::note);
  EXPECT_NE(wide->message.find("cannot tell"), std::string::npos);
  EXPECT_NE(wide->advice.find("120 rounds"), std::string::npos);
  const auto few = disturbed(with_marks(0.999, 1.001, 1.002, 31));
  ASSERT_TRUE(few);
  EXPECT_EQ(few->message,
            "cannot tell whether marks slow the pipeline by less than 1 %: there are 31 rounds, it takes 32");
}

Record of_launches(double low, double value, double high, std::uint64_t launches, std::uint64_t rounds) {
  Record r = with_marks(low, value, high, launches);
  r.launches.resize(launches);
  r.rounds = rounds;
  return r;
}

TEST(Disturbed, OfSeveralLaunchesTakesEightOfThemWith32Rounds) {
  EXPECT_FALSE(disturbed(of_launches(0.999, 1.004, 1.0099, 8, 32)));
  EXPECT_EQ(disturbed(of_launches(1.02, 1.03, 1.04, 8, 32))->severity, Severity::warning);
  const auto few = disturbed(of_launches(0.999, 1.001, 1.002, 7, 35));
  ASSERT_TRUE(few);
  EXPECT_EQ(few->severity, Severity::note);
  EXPECT_NE(few->message.find("there are 7 launches with 35 rounds, it takes 8 with 32"), std::string::npos)
      << few->message;
  EXPECT_NE(few->advice.find("8 launches (--launches) that share 32 rounds (--rounds)"), std::string::npos);
  EXPECT_TRUE(disturbed(of_launches(0.999, 1.001, 1.002, 8, 31)));
  const auto wide = disturbed(of_launches(0.99, 1.004, 1.012, 8, 32));
  ASSERT_TRUE(wide);
  EXPECT_NE(wide->message.find("after 8 launches it may be up to 1.2 %"), std::string::npos) << wide->message;
  EXPECT_NE(wide->advice.find("120 launches (--launches)"), std::string::npos) << wide->advice;
}

TEST(Disturbed, IsAWarningWhenMarksAreKnownToCostMore) {
  const auto f = disturbed(with_marks(1.02, 1.03, 1.04, 32));
  ASSERT_TRUE(f);
  EXPECT_EQ(f->severity, Severity::warning);
  EXPECT_NEAR(f->evidence.at("effect"), 0.03, 1e-12);
}

Record with_stage(const char* why) {
  Record r;
  r.verb = "pipeline";
  r.metrics["latency"].n = 1;
  Case c;
  c.name = "event";
  c.stages = {{"large", {}, ""}, {"cpu", {}, ""}};
  c.stages[0].metrics["device_time"].unknown = why;
  r.cases = {c};
  return r;
}

TEST(StageWaits, NamesStagesThatCannotBeQueuedAhead) {
  const auto f = stage_waits(with_stage("it waits for its own work"));
  ASSERT_TRUE(f);
  EXPECT_EQ(f->about, About::workload);
  EXPECT_NE(f->message.find("'large' cannot be queued ahead: it waits for its own work"), std::string::npos);
  EXPECT_FALSE(stage_waits(with_stage("")));
  EXPECT_FALSE(stage_waits(Record{}));
  Record nothing = with_stage("nothing was read");
  nothing.metrics.clear();
  EXPECT_FALSE(stage_waits(nothing));
}

}  // namespace
}  // namespace strobe
