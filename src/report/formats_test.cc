#include "report/formats.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

TEST(Formats, AreFoundByNameAndBySuffix) {
  EXPECT_EQ(format_named("csv").suffix, ".csv");
  EXPECT_EQ(format_of_file("a/b.md").name, "md");
  EXPECT_EQ(format_of_file("x.json").name, "json");
}

TEST(Formats, UnknownOnesAreUsageErrorsThatListTheRest) {
  EXPECT_THROW(format_of_file("a.doc"), Error);
  try {
    format_named("jsn");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::usage);
    EXPECT_NE(std::string(e.what()).find("Did you mean 'json'?"), std::string::npos);
  }
}

}  // namespace
}  // namespace strobe
