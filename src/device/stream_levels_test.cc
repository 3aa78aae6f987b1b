// SPDX-License-Identifier: Apache-2.0
#include "device/stream_levels.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

// Nanoseconds per empty kernel on twenty streams of one process each, as an H200 gave them.
const std::vector<double> kMostlyFast{1491, 1443, 1444, 1490, 1494, 1434, 1434, 1469, 1435, 1487,
                                      1488, 1473, 1488, 1473, 1473, 1564, 1587, 1563, 1563, 1588};
const std::vector<double> kMostlySlow{1575, 1642, 1642, 1575, 1592, 1628, 1628, 1591, 1628, 1572,
                                      1571, 1604, 1571, 1604, 1604, 1494, 1484, 1482, 1495, 1498};

TEST(StreamLevels, AreTwoWhereAGapStandsOut) {
  const StreamLevels fast = stream_levels_of(kMostlyFast), slow = stream_levels_of(kMostlySlow);
  EXPECT_EQ(fast.count(StreamLevel::fast), 15U);
  EXPECT_EQ(fast.count(StreamLevel::slow), 5U);
  EXPECT_EQ(slow.count(StreamLevel::fast), 5U);
  EXPECT_EQ(slow.count(StreamLevel::slow), 15U);
  EXPECT_EQ(slow.count(StreamLevel::any), 20U);
  EXPECT_DOUBLE_EQ(fast.pause(StreamLevel::slow).value(), 1564);
  EXPECT_DOUBLE_EQ(slow.pause(StreamLevel::fast).value(), 1494);
}

TEST(StreamLevels, AreTwoWhereTheGapIsHardlyWiderThanOthers) {
  const StreamLevels narrow = stream_levels_of({1472, 1476, 1440, 1503, 1430, 1431, 1500, 1446, 1482, 1481,
                                                1473, 1480, 1484, 1447, 1570, 1543, 1570, 1573, 1545, 1569});
  EXPECT_EQ(narrow.count(StreamLevel::slow), 6U);
}

TEST(StreamLevels, AreOneWhereStreamsAreAlike) {
  std::vector<double> alike(kMostlySlow.begin(), kMostlySlow.begin() + 15);
  const StreamLevels one = stream_levels_of(alike);
  EXPECT_FALSE(one.border_ns);
  EXPECT_EQ(one.count(StreamLevel::fast), 0U);
  EXPECT_EQ(one.count(StreamLevel::any), 15U);
  EXPECT_FALSE(one.pause(StreamLevel::slow));
}

TEST(StreamLevels, AreOneWhereStreamsScatter) {
  EXPECT_FALSE(stream_levels_of({1000, 1015, 1030, 1045, 1060, 1075, 1090}).border_ns) << "no gap";
  EXPECT_FALSE(stream_levels_of({1000, 1000, 1040, 1040}).border_ns) << "4 % apart";
  EXPECT_FALSE(stream_levels_of({1000}).border_ns);
  EXPECT_FALSE(stream_levels_of({}).border_ns);
}

}  // namespace
}  // namespace strobe
