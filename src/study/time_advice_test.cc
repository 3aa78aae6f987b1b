// SPDX-License-Identifier: Apache-2.0
#include "study/time_advice.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(TimeAdvice, IsARoundNumberWithSomeToSpare) {
  EXPECT_EQ(give_at_least(0ns), "Give it at least 100 ms.");
  EXPECT_EQ(give_at_least(133ms), "Give it at least 200 ms.");
  EXPECT_EQ(give_at_least(134ms), "Give it at least 500 ms.");
  EXPECT_EQ(give_at_least(600ms), "Give it at least 1 s.");
  EXPECT_EQ(give_at_least(2s), "Give it at least 5 s.");
  EXPECT_EQ(give_at_least(60s), "Give it at least 100 s.");
}

}  // namespace
}  // namespace strobe
