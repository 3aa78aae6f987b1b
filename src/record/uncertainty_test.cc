// SPDX-License-Identifier: Apache-2.0
#include "record/uncertainty.h"

#include <cmath>

#include <gtest/gtest.h>

#include "testing/sample_records.h"

namespace strobe {
namespace {

using namespace strobe::testing;

TEST(Uncertainty, OfATimeComesFromRequestsRoundsAndLaunches) {
  const auto sources = uncertainty_sources("device_time", sample_launches());
  ASSERT_EQ(sources.size(), 3U);
  EXPECT_EQ(sources[0].name, "requests");
  EXPECT_NEAR(sources[0].deviation, 1.5708 * 0.011 / std::sqrt(400), 1e-6);  // a median of medians of 400 requests
  EXPECT_NEAR(std::hypot(sources[0].deviation, sources[1].deviation), 1.25331 * 0.0045 / std::sqrt(16), 1e-6);
  EXPECT_NEAR(std::hypot(sources[0].deviation, sources[1].deviation, sources[2].deviation), 0.004, 1e-6);
  EXPECT_NEAR(sources[0].share + sources[1].share + sources[2].share, 1, 1e-9);
  EXPECT_EQ(main_source(sources), &sources[2]);
}

TEST(Uncertainty, OfARateComesFromItsRoundsAndLaunches) {
  Record r = sample_launches();
  r.metrics["throughput"].launch_spread = 0.013;
  const auto sources = uncertainty_sources("throughput", r);
  ASSERT_EQ(sources.size(), 2U);
  EXPECT_EQ(sources[0].name, "rounds");
  EXPECT_NEAR(sources[0].deviation, 0.01 / 2.001, 1e-5);  // ±1 % by Student's t of 59 degrees
  EXPECT_NEAR(sources[1].deviation, std::sqrt(0.013 * 0.013 - 0.005 * 0.005), 1e-5);
}

TEST(Uncertainty, IsUnknownOfOneLaunchAndOfWhatOnlyTheFirstMeasured) {
  EXPECT_TRUE(uncertainty_sources("latency", sample_run()).empty());
  EXPECT_TRUE(uncertainty_sources("span", sample_launches()).empty());
  EXPECT_TRUE(uncertainty_sources("replay_time", sample_launches()).empty());
}

TEST(Uncertainty, HasNoMainSourceWhereNoneMakesHalfOfIt) {
  EXPECT_EQ(main_source({{"requests", 1, 0.34}, {"rounds", 1, 0.33}, {"launches", 1, 0.33}}), nullptr);
  EXPECT_EQ(main_source({}), nullptr);
}

}  // namespace
}  // namespace strobe
