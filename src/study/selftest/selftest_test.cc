// SPDX-License-Identifier: Apache-2.0
#include "study/selftest/selftest.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace strobe {
namespace {

bool has(const Record& r, std::string_view name) {
  return std::any_of(r.cases.begin(), r.cases.end(), [&](const Case& c) { return c.name == name; });
}

TEST(Selftest, PassesEveryCheckWithFewRuns) {
  const Record r = selftest({.runs = 10});
  EXPECT_EQ(r.verdict, Verdict::trusted);
  for (const Case& c : r.cases) EXPECT_EQ(c.error, "") << c.name;
  for (const char* name : {"median's interval, correlation 0.8", "false alarms on clean runs", "drift is found",
                           "faults are found over 5 launches", "the next launch is inside, normal 0.3 %",
                           "'repeats', and the next run is outside", "'varies', and launches agree within 0.1 %",
                           "equal machines called different", "a machine that is 1 % slower is found",
                           "equal systems called different", "1.0 % slower is found", "5.0 % slower is found"})
    EXPECT_TRUE(has(r, name)) << name;
}

TEST(Selftest, ThatIsStoppedIsNotCalledComplete) {
  const Record r = selftest({.runs = 5, .stop = [] { return true; }});
  EXPECT_EQ(r.status, Status::interrupted);
  EXPECT_EQ(r.verdict, Verdict::trusted);
  for (const Case& c : r.cases) EXPECT_EQ(c.about, "reading against its closed formula") << c.name;  // no run, no row
}

}  // namespace
}  // namespace strobe
