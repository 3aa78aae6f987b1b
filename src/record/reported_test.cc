// SPDX-License-Identifier: Apache-2.0
#include "record/reported.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

Case read_as(const char* word) {
  Case c{};
  Metric& m = c.metrics["reading"];
  m.estimate.value = 5;
  m.mean = Estimate{};
  m.mean->value = 6;
  m.min = 4;
  m.max = 9;
  c.statistic = word;
  return c;
}

TEST(Reported, IsTheStatisticThatTheMethodPrints) {
  EXPECT_EQ(reported(read_as("median"))->estimate.value, 5);
  EXPECT_EQ(reported(read_as("mean"))->estimate.value, 6);
  EXPECT_EQ(reported(read_as("min"))->estimate.value, 4);
  EXPECT_EQ(reported(read_as("once"))->estimate.value, 5);
  EXPECT_EQ(reported(read_as("once"))->statistic, "once");
}

TEST(Reported, IsTheMeanOfEarlierRecordsWhereTheFirstRequestsCount) {
  Case c = read_as("");
  EXPECT_EQ(reported(c)->statistic, "median");
  c.settings["warmup"] = false;
  EXPECT_EQ(reported(c)->statistic, "mean");
}

TEST(Reported, IsNothingWithoutAReading) {
  Case c = read_as("mean");
  c.metrics["reading"].mean.reset();
  EXPECT_EQ(reported(c)->statistic, "median");
  c.metrics["reading"].unknown = "no time";
  EXPECT_FALSE(reported(c));
  EXPECT_FALSE(reported(Case{}));
}

}  // namespace
}  // namespace strobe
