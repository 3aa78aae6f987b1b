#include "stats/canary.h"

#include <vector>

#include <gtest/gtest.h>

namespace strobe::stats {
namespace {

TEST(Canary, IsNoisyWhenItsMedianExceedsTheBestKnownByThreePercent) {
  EXPECT_FALSE(read_canary(std::vector<double>{1.0, 1.029, 1.09}, 1.0).noisy);
  EXPECT_TRUE(read_canary(std::vector<double>{1.0, 1.031, 1.031}, 1.0).noisy);
  EXPECT_NEAR(read_canary(std::vector<double>{1.1, 1.1, 1.1}, 1.0).excess, 0.1, 1e-12);
}

TEST(Canary, ThatBeatsTheBestKnownValueMovesIt) {
  EXPECT_NEAR(read_canary(std::vector<double>{0.5, 1.0, 1.0}, 0.9).excess, 1, 1e-12);
}

TEST(Canary, WithoutAKnownValueComparesWithItsOwnBest) {
  EXPECT_NEAR(read_canary(std::vector<double>{1.0, 1.2, 1.2}, 0).excess, 0.2, 1e-12);
}

TEST(Canary, WithoutReadingsAccusesNobody) {
  EXPECT_FALSE(read_canary({}, 1).noisy);
  EXPECT_EQ(read_canary(std::vector<double>{0, 0}, 0).excess, 0);
}

}  // namespace
}  // namespace strobe::stats
