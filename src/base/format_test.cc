// SPDX-License-Identifier: Apache-2.0
#include "base/format.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(Format, KeepsThreeSignificantDigits) {
  EXPECT_EQ(format_time(1.0), "1.00 ns");
  EXPECT_EQ(format_time(12.34), "12.3 ns");
  EXPECT_EQ(format_time(1872345.0), "1.87 ms");
  EXPECT_EQ(format_time(123456789.0), "123 ms");
  EXPECT_EQ(format_time(0.0), "0.00 ns");
  EXPECT_EQ(format_time(0.25), "0.250 ns");
}

TEST(Format, MovesToTheNextPrefixWhenRoundingReachesAThousand) {
  EXPECT_EQ(format_time(999400.0), "999 µs");
  EXPECT_EQ(format_time(999700.0), "1.00 ms");
  EXPECT_EQ(figure(999.7, "items/s").plain(), "1.00 k/s");
}

TEST(Format, WritesTheIntervalInTheUnitOfTheValue) {
  EXPECT_EQ(figure(1.87e6, "ns", 1.86e6, 1.88e6).plain(), "1.87 ms  [1.86, 1.88]");
  EXPECT_EQ(figure(541, "items/s", 538, 544).plain(), "541 /s  [538, 544]");
}

TEST(Format, HasMoreDigitsWhereAnIntervalWouldVanish) {
  EXPECT_EQ(figure(10'480, "items/s", 10'450, 10'510).plain(), "10.48 k/s  [10.45, 10.51]");
  EXPECT_EQ(figure(3.97e6, "ns", 3.969e6, 3.971e6).plain(), "3.970 ms  [3.969, 3.971]");
  EXPECT_EQ(figure(1e6, "ns", 1e6 - 1, 1e6 + 1).plain(), "1.0000 ms  [1.0000, 1.0000]");  // two more, no further
  EXPECT_EQ(figure(5e6, "ns", 5e6, 5e6).plain(), "5.00 ms  [5.00, 5.00]");
  EXPECT_EQ(figure(2e6, "ns", 1.99e6, 2.01e6).plain(), "2.00 ms  [1.99, 2.01]");
}

TEST(Format, ShowsAnUnboundedSideInsteadOfInventingALimit) {
  EXPECT_EQ(figure(2e6, "ns", 1.5e6, {}).interval, "[1.50, ∞]");
  EXPECT_EQ(figure(2e6, "ns").interval, "");
}

TEST(Format, ShowsBytesInPowersOf1024) {
  EXPECT_EQ(figure(1.5 * 1024 * 1024 * 1024, "bytes").plain(), "1.50 GiB");
  EXPECT_EQ(unit_prefix(3e9, "bytes").unit, "GiB");
  EXPECT_EQ(unit_prefix(2e6, "ns").scale, 1e6);
  EXPECT_EQ(unit_prefix(7, "W").unit, "W");
}

TEST(Format, GroupsCountsAndSizes) {
  EXPECT_EQ(format_count(11689512), "11,689,512");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_bytes(Bytes{46830571}), "44.7 MiB");
  EXPECT_EQ(format_bytes(Bytes{12}), "12 B");
  EXPECT_EQ(format_shape({1, 3, 224, 224}), "1×3×224×224");
  EXPECT_EQ(format_percent(0.0123), "1.2 %");
}

TEST(Format, SaysOneOfOneThing) {
  EXPECT_EQ(counted(0, "launch", "launches"), "0 launches");
  EXPECT_EQ(counted(1, "launch", "launches"), "1 launch");
  EXPECT_EQ(counted(1024, "launch", "launches"), "1,024 launches");
}

TEST(Format, CutsBetweenWordsAndNeverWithinACharacter) {
  EXPECT_EQ(cut_text("not enough memory", 17), "not enough memory");
  EXPECT_EQ(cut_text("not enough memory", 16), "not enough …");
  EXPECT_EQ(cut_text("not enough memory", 10), "not enough …");
  EXPECT_EQ(cut_text("onewordthatdoesnotend", 8), "onewordt…");
  EXPECT_EQ(cut_text("\u00b5\u00b5\u00b5\u00b5", 5), "\u00b5\u00b5…");
}

}  // namespace
}  // namespace strobe
