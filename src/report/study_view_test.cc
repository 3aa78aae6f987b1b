// SPDX-License-Identifier: Apache-2.0
#include "report/study_view.h"

#include <set>

#include <gtest/gtest.h>

#include "record/study_info.h"
#include "report/html.h"
#include "report/text/text.h"
#include "testing/sample_records.h"

namespace strobe {
namespace {

TEST(StudyView, HasARowForEachStudyAndNoOther) {
  std::multiset<std::string_view> known, shown;
  for (const StudyInfo& s : all_studies()) known.insert(s.verb);
  for (const StudyView& v : study_views()) shown.insert(v.verb);
  EXPECT_EQ(known, shown);
}

TEST(StudyView, ShowsAVerbOfAnotherVersionAsAMeasurement) {
  Record r = testing::sample_run();
  r.verb = "pipeline of tomorrow";
  EXPECT_NE(text(r).find("latency      1.87 ms"), std::string::npos) << text(r);
  EXPECT_NE(html(r).find("1.87 ms"), std::string::npos);
}

TEST(StudyView, SaysWhyChecksAreTrustedThatMeasureNothing) {
  for (const StudyInfo& s : all_studies()) {
    Record r;
    r.verb = s.verb;
    EXPECT_EQ(study_view(r).passed.empty(), s.answer != Answer::checks) << s.verb;
  }
}

}  // namespace
}  // namespace strobe
