// SPDX-License-Identifier: Apache-2.0
#include "record/metric_info.h"

#include <set>

#include <gtest/gtest.h>

namespace strobe {
namespace {

Comparison comparison(std::string metric, std::string outcome) {
  Comparison c;
  c.metric = std::move(metric);
  c.outcome = std::move(outcome);
  return c;
}

TEST(MetricInfo, HasOneCompleteRowForEachMetric) {
  std::set<std::string_view> names, labels;
  for (const MetricInfo& m : all_metrics()) {
    EXPECT_TRUE(names.insert(m.name).second) << m.name;
    EXPECT_TRUE(labels.insert(m.label).second) << m.name;
    EXPECT_LE(m.label.size(), 12u) << m.name << ": lines are indented by 13";
    EXPECT_TRUE(m.definition.ends_with(".")) << m.name;
    EXPECT_EQ(metric_info(m.name), &m);
  }
}

TEST(MetricInfo, KnowsWhichWayIsBetter) {
  EXPECT_EQ(metric_info("latency")->better, Better::less);
  EXPECT_EQ(metric_info("throughput")->better, Better::more);
  EXPECT_EQ(metric_info("replay_throughput")->better, Better::more);
  EXPECT_EQ(metric_info("memory")->better, Better::less);
  for (const MetricInfo& m : all_metrics()) EXPECT_EQ(m.kind == MetricKind::rate, m.better == Better::more) << m.name;
}

TEST(MetricInfo, CallsMoreMemoryLargerAndNeverSlower) {
  EXPECT_EQ(change_words("memory").worse, "larger");
  EXPECT_EQ(change_words("throughput").worse, "slower");
  EXPECT_TRUE(is_worse(comparison("memory", "larger")));
  EXPECT_FALSE(is_worse(comparison("memory", "slower")));
  EXPECT_TRUE(is_better(comparison("latency", "faster")));
  EXPECT_FALSE(is_better(comparison("latency", "equivalent")));
  EXPECT_FALSE(is_worse(comparison("latency", "cannot-tell")));
}

TEST(MetricInfo, KnowsWhatIsCopiedWhichWayAndFromWhere) {
  EXPECT_EQ(metric_info("copy_in")->transfer, Transfer::in);
  EXPECT_FALSE(metric_info("copy_in")->pageable);
  EXPECT_EQ(metric_info("copy_out_pageable")->transfer, Transfer::out);
  EXPECT_TRUE(metric_info("copy_out_pageable")->pageable);
  EXPECT_EQ(metric_info("end_to_end")->transfer, Transfer::none);
}

TEST(MetricInfo, TakesAForeignMetricForATimeAndShowsItLast) {
  EXPECT_EQ(metric_info("fps_of_somebody"), nullptr);
  EXPECT_EQ(change_words("fps_of_somebody").worse, "slower");
  EXPECT_TRUE(less_is_better("fps_of_somebody"));
  EXPECT_EQ(metric_order("fps_of_somebody"), all_metrics().size());
}

}  // namespace
}  // namespace strobe
