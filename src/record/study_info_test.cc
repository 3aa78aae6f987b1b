// SPDX-License-Identifier: Apache-2.0
#include "record/study_info.h"

#include <set>

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(StudyInfo, KnowsEachVerbOnceAndCanAdvise) {
  std::set<std::string_view> names;
  for (const StudyInfo& s : all_studies()) {
    EXPECT_TRUE(names.insert(s.verb).second) << s.verb;
    EXPECT_EQ(&study_info(s.verb), &s);
    for (const std::string_view words : {s.advice.more_samples, s.advice.more_time, s.advice.warm_up})
      EXPECT_TRUE(words.ends_with('.')) << s.verb << ": " << words;
  }
  EXPECT_TRUE(names.contains("run"));
}

TEST(StudyInfo, SweepsWhatIsOneMeasurement) {
  std::set<std::string_view> swept;
  for (const StudyInfo& s : all_studies()) {
    if (s.no_sweep.empty()) swept.insert(s.verb);
  }
  EXPECT_EQ(swept, (std::set<std::string_view>{"run", "methods", "pipeline", "audit", "measure"}));
}

TEST(StudyInfo, TakesAVerbOfAnotherVersionForAMeasurement) {
  Record r;
  r.verb = "of tomorrow";
  const StudyInfo& s = study_info(r);
  EXPECT_EQ(s.verb, "");
  EXPECT_TRUE(s.judged);
  EXPECT_EQ(s.answer, Answer::time);
  EXPECT_EQ(s.advice.more_time, study_info(verb::run).advice.more_time);
}

TEST(StudyInfo, TellsCandidatesFromWaysToTimeAPipeline) {
  Record r;
  r.verb = verb::compare;
  EXPECT_FALSE(compares_candidates(r));
  r.comparisons.resize(1);
  EXPECT_TRUE(compares_candidates(r));
  r.verb = verb::pipeline;
  EXPECT_FALSE(compares_candidates(r));
}

}  // namespace
}  // namespace strobe
