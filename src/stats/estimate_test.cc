// SPDX-License-Identifier: Apache-2.0
#include "stats/estimate.h"

#include <gtest/gtest.h>

namespace strobe::stats {
namespace {

TEST(Estimate, RelativeHalfWidthIsHalfTheIntervalOverTheValue) {
  EXPECT_DOUBLE_EQ(*relative_half_width({.value = 10, .low = 9, .high = 12}), 0.15);
}

TEST(Estimate, AnUnboundedSideHasNoHalfWidth) {
  EXPECT_FALSE(relative_half_width({.value = 10, .low = 9}));
  EXPECT_FALSE(relative_half_width({.value = 10, .high = 12}));
  EXPECT_FALSE(bounded({.value = 10, .low = 9}));
}

TEST(Estimate, AValueOfZeroHasNoRelativeWidth) {
  EXPECT_FALSE(relative_half_width({.value = 0, .low = 0, .high = 0}));
}

TEST(Estimate, HalfWidthIsNeverBelowHalfATick) {
  EXPECT_DOUBLE_EQ(*relative_half_width({.value = 10, .low = 10, .high = 10}, 1), 0.05);
  EXPECT_DOUBLE_EQ(*relative_half_width({.value = 10, .low = 10, .high = 10}), 0);
}

TEST(Estimate, TailIsHalfOfWhatTheConfidenceLeaves) {
  EXPECT_NEAR(tail({0.95}), 0.025, 1e-15);
  EXPECT_GT(tail({1.0}), 0);
}

}  // namespace
}  // namespace strobe::stats
