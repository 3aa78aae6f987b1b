// SPDX-License-Identifier: Apache-2.0
// What the tests of comparisons share.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/comparison.h"

namespace strobe::stats {

using Values = std::vector<double>;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline Values times(double factor, Values x) {
  for (double& v : x) v *= factor;
  return x;
}

inline Values exponentials(Values x) {
  for (double& v : x) v = std::exp(v);
  return x;
}

inline Values normal(std::size_t count, double centre, double sd, std::uint64_t seed) {
  Random random(seed);
  Values out(count);
  for (double& x : out) x = centre + sd * random.normal();
  return out;
}

inline bool different(const RatioComparison& c) {
  return c.outcome == Outcome::faster || c.outcome == Outcome::slower;
}

inline void expect_ratio(const Estimate& e, double value, double low, double high) {
  EXPECT_NEAR(e.value, value, 1e-12);
  ASSERT_TRUE(bounded(e));
  EXPECT_NEAR(*e.low, low, 1e-12);
  EXPECT_NEAR(*e.high, high, 1e-12);
}

inline void expect_finite(const RatioComparison& c) {
  EXPECT_TRUE(std::isfinite(c.ratio.value) && c.ratio.value > 0);
  EXPECT_TRUE(std::isfinite(c.ratio.low.value_or(1)));
  EXPECT_TRUE(std::isfinite(c.ratio.high.value_or(1)));
  EXPECT_TRUE(c.p >= 0 && c.p <= 1) << c.p;
}

}  // namespace strobe::stats
