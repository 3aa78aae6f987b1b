// SPDX-License-Identifier: Apache-2.0
#include "record/key_unit.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(KeyUnit, IsWhatAKeyEndsIn) {
  EXPECT_EQ(key_unit("clock_read_ns").name, "clock_read");
  EXPECT_EQ(key_unit("clock_read_ns").unit, "ns");
  EXPECT_EQ(key_unit("memory_bytes").unit, "bytes");
}

TEST(KeyUnit, IsNothingWhereThereIsNone) {
  for (const char* key : {"queue_depth", "ns", "_ns", "columns", ""}) {
    EXPECT_EQ(key_unit(key).name, key);
    EXPECT_EQ(key_unit(key).unit, "") << key;
  }
}

}  // namespace
}  // namespace strobe
