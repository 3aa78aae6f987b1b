// SPDX-License-Identifier: Apache-2.0
#include "measure/readings.h"

#include <vector>

#include <gtest/gtest.h>

#include "stats/synthetic/processes.h"

namespace strobe {
namespace {

TEST(Readings, SayHowManyOfThemMakeAnIndependentOne) {
  const std::vector<double> x = stats::simulate(stats::kAr80, 2000, 1);
  const Metric m = describe_readings(x, 0);
  EXPECT_GT(m.facts.n_eff_tau, 3);
  EXPECT_NEAR(m.n_eff, 2000 / m.facts.n_eff_tau, 1);
}

TEST(Readings, OfNothingAreUnknown) {
  EXPECT_FALSE(describe_readings({}, 1).known());
}

}  // namespace
}  // namespace strobe
