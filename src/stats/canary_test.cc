// SPDX-License-Identifier: Apache-2.0
#include "stats/canary.h"

#include <vector>

#include <gtest/gtest.h>

namespace strobe::stats {
namespace {

TEST(Canary, IsComparedWithItsOwnBest) {
  EXPECT_NEAR(canary_excess(std::vector<double>{1.2, 1.0, 1.5}), 0.2, 1e-12);
  EXPECT_EQ(canary_excess(std::vector<double>{1.1, 1.1, 1.1}), 0);
}

TEST(Canary, WithoutReadingsAccusesNobody) {
  EXPECT_EQ(canary_excess({}), 0);
  EXPECT_EQ(canary_excess(std::vector<double>{0, 0}), 0);
}

}  // namespace
}  // namespace strobe::stats
