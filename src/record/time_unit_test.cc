// SPDX-License-Identifier: Apache-2.0
#include "record/time_unit.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

std::string_view unit_word(std::string_view heading) {
  const auto unit = unit_in_heading(heading);
  return unit ? unit->word : "none";
}

TEST(TimeUnit, IsReadAsPeopleWriteIt) {
  EXPECT_EQ(time_unit("MS")->ns, 1e6);
  EXPECT_EQ(time_unit("\xCE\xBCs")->ns, 1e3);
  EXPECT_FALSE(time_unit("min"));  // minutes, or the minimum
  EXPECT_FALSE(time_unit(""));
}

TEST(TimeUnit, OfAHeadingIsAWordOfIt) {
  EXPECT_EQ(unit_word("latency_ms"), "ms");
  EXPECT_EQ(unit_word("Time/us"), "us");
  EXPECT_EQ(unit_word("startH2dMs"), "ms");
  EXPECT_EQ(unit_word("duration (s)"), "s");
  EXPECT_EQ(unit_word("GPU seconds"), "s");
  EXPECT_EQ(unit_word("items"), "none");
  EXPECT_EQ(unit_word("status"), "none");
  EXPECT_EQ(unit_word("model's"), "none");
}

TEST(TimeUnit, HeadingsHaveWords) {
  EXPECT_TRUE(heading_has_word("start_ms", "start"));
  EXPECT_TRUE(heading_has_word("beginNs", "begin"));
  EXPECT_FALSE(heading_has_word("restart", "start"));
}

}  // namespace
}  // namespace strobe
