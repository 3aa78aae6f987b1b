// SPDX-License-Identifier: Apache-2.0
#include "base/intervals.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

using List = std::vector<Interval>;

TEST(Unite, JoinsWhatTouchesOrOverlapsAndForgetsWhatIsEmpty) {
  EXPECT_EQ(unite({{5ns, 9ns}, {0ns, 2ns}, {2ns, 3ns}, {4ns, 4ns}, {6ns, 7ns}, {8ns, 12ns}}),
            (List{{0ns, 3ns}, {5ns, 12ns}}));
  EXPECT_EQ(unite({}), List{});
}

TEST(LengthOf, CountsCoveredTimeOnce) {
  EXPECT_EQ(length_of(unite({{0ns, 10ns}, {5ns, 15ns}, {20ns, 21ns}})), 16ns);
}

TEST(Gaps, AreWhatTheListLeavesFreeWithinBounds) {
  const List list{{0ns, 3ns}, {5ns, 8ns}, {20ns, 30ns}};
  EXPECT_EQ(gaps(list, {1ns, 25ns}), (List{{3ns, 5ns}, {8ns, 20ns}}));
  EXPECT_EQ(gaps(list, {31ns, 33ns}), (List{{31ns, 33ns}}));
  EXPECT_EQ(gaps({}, {1ns, 2ns}), (List{{1ns, 2ns}}));
  EXPECT_EQ(gaps(list, {20ns, 30ns}), List{});
  EXPECT_EQ(gaps(list, {9ns, 10ns}), (List{{9ns, 10ns}}));
}

TEST(Gaps, AndTheListTogetherAreTheWhole) {
  const List list{{2ns, 3ns}, {5ns, 8ns}};
  EXPECT_EQ(length_of(list) + length_of(gaps(list, {0ns, 10ns})), 10ns);
}

TEST(Common, IsWhereBothLie) {
  EXPECT_EQ(common(List{{0ns, 5ns}, {8ns, 20ns}}, List{{3ns, 9ns}, {10ns, 11ns}, {19ns, 40ns}}),
            (List{{3ns, 5ns}, {8ns, 9ns}, {10ns, 11ns}, {19ns, 20ns}}));
  EXPECT_EQ(common(List{{0ns, 5ns}}, List{{5ns, 6ns}}), List{});
}

}  // namespace
}  // namespace strobe
