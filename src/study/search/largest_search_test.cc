// SPDX-License-Identifier: Apache-2.0
#include "study/search/largest_search.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(LargestPlan, NeverPredictsBeyondABatchThatFailed) {
  const LargestPlan plan = plan_largest(64, 128, 210, 0.03, 3);
  EXPECT_EQ(plan.predicted, 127);
  EXPECT_EQ(plan.not_searched, "64 fits, 128 does not; not searched between: a request of 127 items would take 4 s");
  EXPECT_EQ(plan_largest(64, std::nullopt, 210, 0.01, 3).predicted, 210);
}

TEST(LargestPlan, SearchesWhereAFailureKeepsRequestsShort) {
  // The prediction alone would take too long; what is left below the failure does not.
  EXPECT_EQ(plan_largest(64, 128, 210, 0.02, 3).not_searched, "");
  EXPECT_EQ(plan_largest(64, std::nullopt, 210, 0.02, 3).not_searched,
            "at least 64; not searched further: a request of 210 items would take 4 s");
}

TEST(LargestPlan, IsDoneWhereTheNextBatchFails) {
  const LargestPlan plan = plan_largest(64, 65, 210, 1, 3);
  EXPECT_EQ(plan.predicted, 64);
  EXPECT_EQ(plan.not_searched, "");
}

}  // namespace
}  // namespace strobe
