// SPDX-License-Identifier: Apache-2.0
#include "study/launches.h"

#include <cmath>

#include <gtest/gtest.h>

namespace strobe {
namespace {

Record one_launch(double median, double min, double max, Status status = Status::converged) {
  Record r;
  r.verb = "run";
  r.status = status;
  Metric& m = r.metrics["latency"];
  m.n = 100;
  m.estimate = {median, 0.999 * median, 1.001 * median, true, {}};
  m.min = min;
  m.max = max;
  return r;
}

std::vector<Record> launches_with(const std::vector<std::optional<Severity>>& severities) {
  std::vector<Record> launches;
  for (const auto& severity : severities) {
    launches.push_back(one_launch(1e6, 0.9e6, 2e6));
    if (severity) launches.back().findings = {{.id = "drift", .severity = *severity, .message = "it drifts"}};
  }
  return launches;
}

TEST(Launches, HaveTheSmallestAndTheLargestOfAllOfThem) {
  const Record r =
      merge_launches({one_launch(1e6, 0.9e6, 2e6), one_launch(1e6, 0.7e6, 5e6), one_launch(1e6, 0.8e6, 3e6)});
  EXPECT_EQ(r.metrics.at("latency").min, 0.7e6);
  EXPECT_EQ(r.metrics.at("latency").max, 5e6);
}

TEST(Launches, GiveTheMedianLaunchAndWhatTheNextWillRead) {
  const Record r = merge_launches({one_launch(376e3, 0, 1), one_launch(388e3, 0, 1), one_launch(375e3, 0, 1),
                                   one_launch(387e3, 0, 1), one_launch(377e3, 0, 1)});
  const Estimate& e = r.metrics.at("latency").estimate;
  EXPECT_DOUBLE_EQ(e.value, 377e3);
  EXPECT_LT(*e.low, 375e3);
  EXPECT_GT(*e.high, 388e3);
  ASSERT_EQ(r.metrics.at("latency").levels.size(), 2U);
  EXPECT_EQ(r.metrics.at("latency").levels[0].launches, 3U);
  EXPECT_FALSE(r.metrics.at("latency").trend);
}

TEST(Launches, AreNeverKnownBetterThanOneOfThem) {
  std::vector<Record> launches;
  for (int i = 0; i < 5; ++i) launches.push_back(one_launch(1e6, 0, 1));
  launches[3].metrics["latency"].estimate.low = 0.96e6;
  launches[3].metrics["latency"].estimate.high = 1.04e6;
  const Estimate e = merge_launches(launches).metrics.at("latency").estimate;
  EXPECT_NEAR(*e.high, 1e6 * std::exp(0.04), 1);
  EXPECT_NEAR(*e.low, 1e6 * std::exp(-0.04), 1);
}

TEST(Launches, KeepTheIntervalForTheNextWherePercentilesAreNear) {
  std::vector<Record> launches;
  for (int i = 0; i < 3; ++i) {
    launches.push_back(one_launch(1e6, 0, 1));
    launches.back().metrics["latency"].percentiles = {{0.9, Estimate{1.0001e6, 1e6, 1.0002e6, true, {}}, {}}};
  }
  const Metric m = merge_launches(launches).metrics.at("latency");
  EXPECT_NEAR(*m.estimate.high, 1e6 * std::exp(0.0025), 1);
  EXPECT_GE(*m.percentiles.at(0).estimate->high, *m.estimate.high);
}

TEST(Launches, GiveAPercentileWithItsRangeWhereEachOfThemCould) {
  std::vector<Record> launches;
  for (const double p90 : {1.3e6, 1.1e6, 1.2e6}) {
    launches.push_back(one_launch(1e6, 0, 1));
    launches.back().metrics["latency"].percentiles = {{0.9, Estimate{p90, 1e6, 2e6, true, {}}, {}}};
  }
  const Percentile with = merge_launches(launches).metrics.at("latency").percentiles.at(0);
  EXPECT_DOUBLE_EQ(with.estimate->value, 1.2e6);
  EXPECT_DOUBLE_EQ(*with.estimate->high, 1.3e6);
  launches[1].metrics["latency"].percentiles = {{0.9, {}, 500}};
  const Percentile without = merge_launches(launches).metrics.at("latency").percentiles.at(0);
  EXPECT_FALSE(without.estimate);
  EXPECT_EQ(without.needs, 500U);
}

TEST(Launches, ShareADoubtAtItsWorst) {
  const auto severity = [](const std::vector<std::optional<Severity>>& all) {
    return merge_launches(launches_with(all)).findings.at(0).severity;
  };
  EXPECT_EQ(severity({Severity::note, Severity::warning, Severity::note}), Severity::warning);
  EXPECT_EQ(severity({Severity::warning, Severity::note, Severity::note}), Severity::warning);
  EXPECT_EQ(severity({Severity::invalid, std::nullopt, Severity::note}), Severity::invalid);
}

TEST(Launches, DoubtTheWholeOnlyWhereMoreThanHalfOfThemDo) {
  const auto doubt = Severity::warning;
  EXPECT_EQ(merge_launches(launches_with({doubt, doubt, {}, {}})).verdict, Verdict::trusted);
  EXPECT_EQ(merge_launches(launches_with({doubt, doubt, doubt, {}})).verdict, Verdict::caution);
}

TEST(Launches, AreAsCompleteAsTheWorstOfThem) {
  const auto status = [](const std::vector<Status>& all) {
    std::vector<Record> launches;
    for (const Status s : all) launches.push_back(one_launch(1e6, 0.9e6, 2e6, s));
    return merge_launches(launches).status;
  };
  EXPECT_EQ(status({Status::converged, Status::converged}), Status::converged);
  EXPECT_EQ(status({Status::converged, Status::not_converged, Status::converged}), Status::not_converged);
  EXPECT_EQ(status({Status::converged, Status::interrupted, Status::not_converged}), Status::interrupted);
  EXPECT_EQ(status({Status::not_converged, Status::interrupted}), Status::interrupted);
}

}  // namespace
}  // namespace strobe
