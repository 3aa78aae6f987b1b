// SPDX-License-Identifier: Apache-2.0
// Acceptance: over a thousand clean runs each detector warns of a metric at most 10 times, all together at most 20
// times.
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "study/run.h"

namespace strobe {
namespace {

class CleanRuns : public testing::TestWithParam<const char*> {};

TEST_P(CleanRuns, AreDoubtedAtMostTwentyTimesInAThousand) {
  std::map<std::pair<std::string, std::string>, int> warnings;
  int all = 0;
  for (int seed = 1; seed <= 1000; ++seed) {
    RunOptions o;
    o.open.model =
        "sim:launch=4us,kernels=40x30us,noise=0.02,ar=" + std::string(GetParam()) + ",seed=" + std::to_string(seed);
    o.measure.effort = Effort::standard;
    for (const Finding& f : run(o).findings) {
      if (f.about == About::workload || f.severity == Severity::note) continue;
      ++warnings[{f.id, f.metric}];
      ++all;
    }
  }
  for (const auto& [of, n] : warnings) {
    std::cout << "correlation " << GetParam() << ": " << of.first << " warned " << n << " times of " << of.second
              << "\n";
    EXPECT_LE(n, 10) << of.first << " of " << of.second;  // the trend test has a level of 1 %
  }
  std::cout << "correlation " << GetParam() << ": " << all << " warnings in 1000 runs\n";
  EXPECT_LE(all, 20);
}

INSTANTIATE_TEST_SUITE_P(Correlation, CleanRuns, testing::Values("0", "0.5", "0.8"));

}  // namespace
}  // namespace strobe
