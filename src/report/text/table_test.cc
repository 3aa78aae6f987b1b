// SPDX-License-Identifier: Apache-2.0
#include "report/text/table.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(Table, CountsCharactersNotBytes) {
  Table t("lr");
  t.add({"µs", "1"});
  t.add({"ms", "100"});
  EXPECT_EQ(t.render(), "µs    1\nms  100\n");
}

TEST(Table, LeavesNoBlanksAtTheEndsOfLines) {
  Table t("ll");
  t.add({"a", ""});
  t.add({"abc", "x"});
  EXPECT_EQ(t.render("  "), "  a\n  abc  x\n");
}

}  // namespace
}  // namespace strobe
