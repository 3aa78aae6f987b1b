// SPDX-License-Identifier: Apache-2.0
#include "stats/growth.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace strobe::stats {
namespace {

std::vector<double> rising(std::size_t steps, double each) {
  std::vector<double> levels;
  for (std::size_t i = 0; i <= steps; ++i) levels.push_back(1e8 + each * static_cast<double>(i));
  return levels;
}

TEST(Growth, IsWhatEachStepAdds) {
  const auto e = growth(rising(50, 1e6));
  ASSERT_TRUE(e);
  EXPECT_EQ(e->value, 1e6);
  EXPECT_EQ(e->low, 1e6);
  EXPECT_EQ(e->high, 1e6);
}

TEST(Growth, DoesNotTakeAJumpForALeak) {
  std::vector<double> levels = rising(50, 0);
  for (std::size_t i = 17; i < levels.size(); ++i) levels[i] += 64e6;
  const auto e = growth(levels);
  EXPECT_EQ(e->value, 0);
  EXPECT_EQ(e->low, 0);
  EXPECT_EQ(e->high, 0);
}

TEST(Growth, SeesALeakBesideJumpsAndReturns) {
  std::vector<double> levels = rising(50, 4096);
  for (std::size_t i = 20; i < levels.size(); ++i) levels[i] += 64e6;
  for (std::size_t i = 33; i < levels.size(); ++i) levels[i] -= 32e6;
  const auto e = growth(levels);
  EXPECT_EQ(e->value, 4096);
  EXPECT_EQ(e->low, 4096);
}

TEST(Growth, LeavesOutStepsBeforeTheFirstWholeBlock) {
  std::vector<double> levels = rising(27, 10);  // ten blocks of two, after seven
  for (std::size_t i = 0; i < 7; ++i) levels[i] = 0;
  EXPECT_EQ(growth(levels)->low, 10);
}

TEST(Growth, NeedsSixSteps) {
  EXPECT_FALSE(growth(rising(5, 1)));
  EXPECT_FALSE(growth({}));
  ASSERT_TRUE(growth(rising(6, 1)));
  EXPECT_EQ(growth(rising(6, 1))->low, 1);
}

// Levels that go up and down about one value rise by nothing: at 95 % at most one in twenty intervals says otherwise on
// either side.
TEST(Growth, IsRarelyFoundInNoise) {
  Random random(7);
  int found = 0;
  for (int run = 0; run < 400; ++run) {
    std::vector<double> levels;
    for (int i = 0; i <= 50; ++i) levels.push_back(1e8 + 4096 * random.normal());
    const auto e = growth(levels);
    if (*e->low > 0 || *e->high < 0) ++found;
  }
  EXPECT_LE(found, 20);
}

}  // namespace
}  // namespace strobe::stats
