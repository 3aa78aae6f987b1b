// SPDX-License-Identifier: Apache-2.0
#include "stats/late_share.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

TEST(LateShare, IsClopperPearsonForIndependentSamples) {
  std::vector<double> x(1000, 1.0);
  const Estimate none = late_share(x, 10);
  EXPECT_EQ(none.value, 0);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(*none.high, 1 - std::pow(0.025, 1.0 / 1000), 1e-9);
  for (std::size_t i = 0; i < 1000; i += 100) x[i] = 20;  // spread evenly: no cluster
  const Estimate ten = late_share(x, 10);
  EXPECT_DOUBLE_EQ(ten.value, 0.01);
  EXPECT_NEAR(*ten.low, 0.00481, 5e-5);
  EXPECT_NEAR(*ten.high, 0.01831, 5e-5);
}

TEST(LateShare, IsLessCertainWhenLateOnesComeTogether) {
  std::vector<double> x(1000, 1.0);
  for (std::size_t i = 500; i < 510; ++i) x[i] = 20;
  EXPECT_GT(*late_share(x, 10).high, 0.03);
}

TEST(LateShare, DoesNotMindLevelsFromWhichTheLimitIsOutOfReach) {
  std::vector<double> x(1000, 1.0);
  for (std::size_t i = 600; i < 1000; ++i) x[i] = 1.3;
  EXPECT_LT(*late_share(x, 2.3).high, 0.004);
  EXPECT_GT(*late_share(x, 2.1).high, 0.1);  // four times the step: the next level may be beyond it
}

TEST(LateShare, OfNothingIsUnknown) {
  EXPECT_FALSE(bounded(late_share({}, 1)));
}

// 2.5 % on each side are promised; limits around the 95th percentile of processes whose truth is known.
TEST(LateShare, CoversTheTruth) {
  for (const Process& process : {kWhite, kAr50, kAr80}) {
    const double limit = true_quantile(process, 0.95);
    int above = 0, below = 0;
    constexpr int kTrials = 500;
    for (int i = 0; i < kTrials; ++i) {
      const Estimate e = late_share(simulate(process, 2000, static_cast<std::uint64_t>(i) + 1), limit);
      above += *e.low > 0.05;
      below += *e.high < 0.05;
    }
    EXPECT_LE(above, 0.025 * kTrials + 3 * 3.5) << process.name;
    EXPECT_LE(below, 0.025 * kTrials + 3 * 3.5) << process.name;
  }
}

}  // namespace
}  // namespace strobe::stats
