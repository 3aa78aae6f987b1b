// SPDX-License-Identifier: Apache-2.0
#include "stats/holm.h"

#include <gtest/gtest.h>

namespace strobe::stats {
namespace {

using Values = std::vector<double>;

TEST(Holm, StopsAtTheFirstThatIsNotRareEnough) {
  const Values p{0.01, 0.04, 0.03, 0.005};  // 0.005 <= 0.0125, 0.01 <= 0.0167, 0.03 > 0.025: stop
  EXPECT_EQ(holm(p, 0.05), (std::vector<bool>{true, false, false, true}));
  EXPECT_EQ(holm(Values{0.02, 0.04, 0.024}, 0.06), (std::vector<bool>{true, true, true}));
  EXPECT_TRUE(holm({}, 0.05).empty());
}

}  // namespace
}  // namespace strobe::stats
