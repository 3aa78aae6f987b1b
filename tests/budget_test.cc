// SPDX-License-Identifier: Apache-2.0
// The harness must not weigh on what it measures. The bench program prints the same figures; here they have to hold.
#include <cstdio>

#include <gtest/gtest.h>

#include "bench/harness_cost.h"

namespace strobe::bench {
namespace {

TEST(Harness, CostsAtMost100NanosecondsASampleBeyondTwoClockReads) {
  const HarnessCost cost = harness_cost();
  std::printf("two clock reads %.1f ns, a sample %.1f ns: %.1f ns beyond; work:null reads as %.0f ns\n", cost.two_reads,
              cost.sample, cost.beyond_two_reads(), cost.reading);
  EXPECT_LE(cost.beyond_two_reads(), kHarnessBudget);
}

// The reading holds both calls and one clock read that are not the work; more than this would be work of ours inside
// it.
TEST(Harness, AddsToTheReadingLessThanTheBudgetToo) {
  const HarnessCost cost = harness_cost();
  EXPECT_LE(cost.reading, cost.three_reads + kHarnessBudget);
}

}  // namespace
}  // namespace strobe::bench
