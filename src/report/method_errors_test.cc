// SPDX-License-Identifier: Apache-2.0
#include "report/method_errors.h"

#include <gtest/gtest.h>

#include "testing/sample_records.h"

namespace strobe {
namespace {

Record off_by(std::vector<double> differences) {
  Record r = testing::sample_run();
  r.verb = "methods";
  for (const double d : differences) {
    r.cases.push_back(testing::method_case("method " + std::to_string(r.cases.size()), "latency",
                                           {{"reading", testing::sample_metric((1 + d) * 1.87e6)}}));
    r.cases.back().difference = d;
  }
  return r;
}

TEST(MethodErrors, CountThoseBeyondFivePercentEitherWay) {
  const Record r = off_by({0.049, -0.049, 0.051, -0.051});
  const MethodErrors e = method_errors(r);
  EXPECT_EQ(e.usable, 4u);
  EXPECT_EQ(e.off, 2u);
}

TEST(MethodErrors, AreWorstWhereTheFactorIsLargest) {
  Record r = off_by({0.1, -0.5, 0.8});  // half is further off than 1.8 times
  EXPECT_EQ(method_errors(r).worst, &r.cases[1]);
  r = off_by({0.1, -0.5, 1.2});
  EXPECT_EQ(method_errors(r).worst, &r.cases[2]);
  r = off_by({-1, 9});  // nothing was read
  EXPECT_EQ(method_errors(r).worst, &r.cases[0]);
  r = off_by({0.01});
  EXPECT_EQ(method_errors(r).worst, nullptr);
}

TEST(MethodErrors, OfASingleMethodAreSaidInItsName) {
  EXPECT_EQ(methods_sentence(off_by({0.5})), "method 0 is off by +50 % from the latency");
  EXPECT_EQ(methods_sentence(off_by({0.01})), "method 0 is within 5 % of the latency");
  EXPECT_EQ(methods_sentence(off_by({0.5, 0.01})), "1 of 2 timing methods for this model is off by more than 5 %");
}

TEST(MethodReading, IsWhatTheMethodPrintsAndTheMeanBesideIt) {
  Case c = testing::method_case("x", "latency", {{"reading", testing::sample_series(2e6)}});
  EXPECT_EQ(method_reading(c).text, "2.00 ms");
  EXPECT_EQ(method_mean(c), "2.02 ms");
  c.statistic = "mean";
  EXPECT_EQ(method_reading(c).text, "2.02 ms (mean)");
  EXPECT_EQ(method_reading(c).interval, "");
  c.statistic = "min";
  EXPECT_EQ(method_reading(c).text, "1.94 ms (min)");
  c.metrics["reading"].n = 1;
  EXPECT_EQ(method_mean(c), "");
}

}  // namespace
}  // namespace strobe
