// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <strobe/record.h>

namespace strobe {
namespace {

Metric of_median(double value) {
  Metric m;
  m.estimate.value = value;
  return m;
}

TEST(Estimate, HasHalfItsIntervalAsItsRelativeWidth) {
  EXPECT_DOUBLE_EQ(*Estimate({100, 98, 102, true, {}}).relative_half_width(), 0.02);
  EXPECT_DOUBLE_EQ(*Estimate({-100, -104, -96, true, {}}).relative_half_width(), 0.04);
  EXPECT_FALSE(Estimate({100, 98, std::nullopt, false, {}}).relative_half_width());
  EXPECT_FALSE(Estimate({0, -1, 1, true, {}}).relative_half_width());
}

TEST(Record, HasAGapWhereTheDeviceWaitsForTheHost) {
  Record r;
  EXPECT_FALSE(r.gap());
  r.metrics["span"] = of_median(100);
  r.metrics["device_time"] = of_median(80);
  EXPECT_DOUBLE_EQ(*r.gap(), 0.2);
  r.metrics["device_time"].unknown = "it cannot be held back";
  EXPECT_FALSE(r.gap());
}

TEST(Record, IsHeadedByItsLatencyElseByWhatWasRead) {
  Record r;
  EXPECT_EQ(r.headline(), nullptr);
  r.metrics["reading"] = of_median(7);
  EXPECT_EQ(r.headline(), r.find("reading"));
  r.metrics["latency"] = of_median(5);
  EXPECT_EQ(r.headline(), r.find("latency"));
}

}  // namespace
}  // namespace strobe
