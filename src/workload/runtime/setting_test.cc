// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/setting.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(Setting, IsOnOrOffByAnyOfTheUsualWords) {
  for (const char* on : {"1", "on", "true"}) EXPECT_TRUE(parse_switch("k", on)) << on;
  for (const char* off : {"0", "off", "false"}) EXPECT_FALSE(parse_switch("k", off)) << off;
  for (const char* other : {"", "2", "ON", "yes"}) EXPECT_THROW(parse_switch("k", other), Error) << other;
}

TEST(Setting, ThatIsUnknownNamesThoseThatAreKnown) {
  EXPECT_STREQ(unknown_setting("therads", "acme", {"threads", "streams"}).what(),
               "unknown setting 'therads' for acme. It knows threads, streams. Did you mean 'threads'?");
}

}  // namespace
}  // namespace strobe
