// SPDX-License-Identifier: Apache-2.0
#include "report/formats.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

TEST(Formats, AreFoundByNameAndBySuffix) {
  EXPECT_EQ(format_named("csv").suffix, ".csv");
  EXPECT_EQ(format_of_file("a/b.md").name, "md");
  EXPECT_EQ(format_of_file("x.json").name, "json");
  EXPECT_EQ(format_of_file("x.gbench.json").name, "gbench");
  EXPECT_EQ(format_of_file("x.html").name, "html");
  EXPECT_EQ(format_of_file("x.prom").name, "prom");
}

TEST(Formats, PutSeveralRecordsTogetherWhereThereIsSuchADocument) {
  std::vector<Record> two(2);
  two[0].model.name = "first";
  two[1].model.name = "second";
  for (const char* name : {"text", "md", "html", "prom"})
    EXPECT_NE(render_all(format_named(name), two, {}).find("second"), std::string::npos) << name;
  two[1].metrics["latency"].n = 7;
  for (const char* name : {"csv", "gbench"})  // they have figures only
    EXPECT_NE(render_all(format_named(name), two, {}).find("second"), std::string::npos) << name;
  EXPECT_THROW(render_all(format_named("json"), two, {}), Error);
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
