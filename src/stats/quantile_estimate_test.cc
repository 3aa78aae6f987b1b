// SPDX-License-Identifier: Apache-2.0
#include "stats/quantile_estimate.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

QuantileEstimate estimate(const std::vector<double>& x, double p) {
  std::vector<double> sorted = x;
  std::sort(sorted.begin(), sorted.end());
  return estimate_quantile(x, sorted, batches(x.size()), p);
}

TEST(QuantileEstimate, WidensWithDependence) {
  const Estimate independent = estimate(simulate(kWhite, 5000, 1), 0.5).estimate;
  const Estimate dependent = estimate(simulate(kAr95, 5000, 1), 0.5).estimate;
  EXPECT_GT(*dependent.high - *dependent.low, 3 * (*independent.high - *independent.low));
}

TEST(QuantileEstimate, IsSupportedWhenBothSidesAreBounded) {
  EXPECT_TRUE(supported(estimate(simulate(kWhite, 1000, 1), 0.99)));
  EXPECT_FALSE(supported(estimate(simulate(kWhite, 300, 1), 0.99)));
  EXPECT_FALSE(supported(estimate({1, 2, 3}, 0.5)));
  EXPECT_FALSE(supported(estimate({}, 0.5)));
}

struct Cell {
  Process process;
  std::size_t n;
  double p;
  double low, high;  // percent; wide, for 300 trials
};

TEST(QuantileEstimateAcceptance, CoversTheTruthAsOftenAsItSays) {
  const Cell cells[] = {{kWhite, 1000, 0.5, 91, 99},
                        {kAr50, 1000, 0.5, 91, 99},
                        {kAr80, 3000, 0.5, 91, 99},
                        {kFastBistable, 3000, 0.5, 90, 99},
                        {kWhite, 1000, 0.99, 94, 100}};
  for (const Cell& cell : cells) {
    int covered = 0;
    int bounded_ones = 0;
    const double truth = true_quantile(cell.process, cell.p);
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const Estimate e = estimate(simulate(cell.process, cell.n, seed), cell.p).estimate;
      if (!bounded(e)) continue;
      ++bounded_ones;
      covered += *e.low <= truth && truth <= *e.high;
    }
    const double percent = 100.0 * covered / bounded_ones;
    EXPECT_GE(percent, cell.low) << cell.process.name << " p" << cell.p;
    EXPECT_LE(percent, cell.high) << cell.process.name << " p" << cell.p;
  }
}

}  // namespace
}  // namespace strobe::stats
