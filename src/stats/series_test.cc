// SPDX-License-Identifier: Apache-2.0
#include "stats/series.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace strobe::stats {
namespace {

TEST(Series, FromAnIndexDropsWhatIsBeforeInEveryColumn) {
  const std::vector<double> x{1, 2, 3};
  const std::vector<std::uint32_t> round{0, 1, 2};
  const Series s = from({.values = x, .round = round, .tick = 0.5}, 1);
  EXPECT_EQ(s.values.size(), 2u);
  EXPECT_EQ(s.values[0], 2);
  EXPECT_EQ(s.round[0], 1u);
  EXPECT_TRUE(s.at_seconds.empty());
  EXPECT_EQ(s.tick, 0.5);
}

TEST(Series, FromBeyondTheEndIsEmpty) {
  const std::vector<double> x{1, 2, 3};
  EXPECT_TRUE(from({.values = x}, 9).values.empty());
}

TEST(Series, RelativeTickOfNoLevelIsZero) {
  EXPECT_EQ(relative_tick({.values = {}, .tick = 1}, 0), 0);
  EXPECT_EQ(relative_tick({.values = {}, .tick = 1}, 50), 0.02);
  EXPECT_EQ(relative_tick({.values = {}, .tick = -1}, 50), 0);
}

}  // namespace
}  // namespace strobe::stats
