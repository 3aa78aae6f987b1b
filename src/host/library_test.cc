// SPDX-License-Identifier: Apache-2.0
#include "host/library.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(Library, GivesAReasonInsteadOfAnException) {
  const Library lib = Library::open("libnosuchthing.so.9");
  EXPECT_FALSE(lib);
  EXPECT_NE(lib.why_not().find("libnosuchthing"), std::string::npos);
  EXPECT_EQ(lib.symbol("f"), nullptr);
}

TEST(Library, FindsSymbolsAndKnowsItsFile) {
  const Library lib = Library::open("libm.so.6");
  ASSERT_TRUE(lib);
  EXPECT_DOUBLE_EQ(lib.function<double(double)>("cos")(0), 1);
  EXPECT_TRUE(std::filesystem::exists(lib.path()));
}

TEST(Library, KnowsWhetherSomebodyHasOpenedIt) {
  EXPECT_TRUE(Library::opened("libc.so.6"));
  EXPECT_FALSE(Library::opened("libnosuchthing.so.9"));
  EXPECT_FALSE(Library::opened("libBrokenLocale.so.1"));  // is there on every machine, and nobody uses it
}

TEST(Library, KnowsWhereItself) {
  EXPECT_TRUE(std::filesystem::exists(library_folder() / "libstrobe.so"));
}

}  // namespace
}  // namespace strobe
