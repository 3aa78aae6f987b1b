// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "report/page/sections.h"

namespace strobe::page {
namespace {

Plot picture(double height) {
  Plot p{.title = "p", .description = "d", .caption = "c", .height = height};
  p.svg.line({0, 0}, {1, 1}, "grid");
  p.table = {"p", {"a"}, "l", {{Html{"1"}}}};
  return p;
}

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST(Layout, PutsPicturesOfOneHeightSideBySide) {
  Outline o;
  const std::string page = lay_out({picture(240), picture(240)}, o);
  EXPECT_EQ(count_of(page, "class=\"column\""), 2U);
  EXPECT_EQ(count_of(page, "card wide"), 0U);
}

TEST(Layout, LeavesNoHalfOfARowEmpty) {
  Outline o;
  std::string page = lay_out({picture(240)}, o);
  EXPECT_EQ(count_of(page, "card wide"), 1U);
  EXPECT_NE(page.find("<details open>"), std::string::npos);  // the table fills the other half
  page = lay_out({picture(240), picture(240), picture(240)}, o);
  EXPECT_EQ(count_of(page, "class=\"column\""), 2U);
  EXPECT_EQ(count_of(page, "card wide"), 1U);
  page = lay_out({picture(600), picture(200)}, o);
  EXPECT_EQ(count_of(page, "card wide"), 2U);
}

TEST(Layout, StacksTwoShortPicturesBesideATallOne) {
  Outline o;
  const std::string page = lay_out({picture(640), picture(240), picture(240)}, o);
  EXPECT_EQ(count_of(page, "card wide"), 0U);
  EXPECT_EQ(count_of(page, "<figure"), 3U);
}

TEST(Layout, OfNothingIsNothing) {
  Outline o;
  EXPECT_EQ(lay_out({}, o), "");
}

}  // namespace
}  // namespace strobe::page
