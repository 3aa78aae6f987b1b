// SPDX-License-Identifier: Apache-2.0
#include "report/text/throughput_text.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "testing/contains.h"
#include "testing/sample_records.h"

namespace strobe {
namespace {

using testing::has;
using testing::sample_throughput;

Record bounded() {
  Record r = sample_throughput();
  r.settings["max_latency_ns"] = 10e6;
  r.settings["percentile"] = 0.99;
  for (Case& c : r.cases) c.metrics["latency_loaded"].percentiles = {{0.99, Estimate{9.5e6, 9e6, 9.9e6, true, {}}, {}}};
  return r;
}

TEST(ThroughputText, ShowsPointsByBatchAndWhyOneFailed) {
  const std::string t = throughput_text(sample_throughput());
  EXPECT_LT(t.find("batch 1 "), t.find("batch 16"));
  EXPECT_TRUE(has(t, "out-of-memory: no memory")) << t;
  EXPECT_TRUE(has(t, "best batch   16")) << t;
}

TEST(ThroughputText, SaysHowOftenTheBestBatchWasTried) {
  Record r = sample_throughput();
  EXPECT_TRUE(has(throughput_text(r), "of the best rate; tried once\n")) << throughput_text(r);
  const auto best = std::find_if(r.cases.begin(), r.cases.end(), [](const Case& c) {
    return c.outcome == "fits" && std::get<std::int64_t>(c.settings.at("batch")) == 16;
  });
  ASSERT_NE(best, r.cases.end());
  r.cases.push_back(Case(*best));
  EXPECT_TRUE(has(throughput_text(r), "of the best rate; the middle of 2 trials\n")) << throughput_text(r);
}

TEST(ThroughputText, ShowsThePercentileOfTheBoundAndNothingInItsPlace) {
  Record r = bounded();
  EXPECT_TRUE(has(throughput_text(r), "9.50 ms"));
  for (Case& c : r.cases) c.metrics["latency_loaded"].percentiles = {{0.99, std::nullopt, 586}};
  const std::string t = throughput_text(r);
  EXPECT_TRUE(has(t, "  p99  ")) << t;
  EXPECT_TRUE(has(t, "  –  ")) << t;
  EXPECT_FALSE(has(t, "9.50 ms")) << t;
  EXPECT_FALSE(has(throughput_text(sample_throughput()), "p99"));
}

TEST(ThroughputText, SaysHowManyWereLate) {
  Record r = bounded();
  r.cases[0].trial = {.bound = "not-met", .late_share = 0.194};
  r.cases[1].trial = {.bound = "cannot-tell", .late_share = 0.003};
  r.cases[2].trial = {.bound = "met", .late_share = 0.0};
  r.answer = {.bound = "not-met"};
  const std::string t = throughput_text(r);
  EXPECT_TRUE(has(t, "beyond the bound (19 % late)")) << t;
  EXPECT_TRUE(has(t, "cannot tell (0.3 % late)")) << t;
  EXPECT_TRUE(has(t, "within the bound\n")) << t;
  EXPECT_TRUE(has(t, "beyond the bound")) << t;
}

TEST(ThroughputText, NamesAFasterPointThatCouldNotBeDecided) {
  Record r = bounded();
  r.answer = {.bound = "met", .bound_point = "batch 1"};
  EXPECT_FALSE(has(throughput_text(r), "may keep it"));
  r.answer.bound_undecided = "batch 2";
  r.answer.bound_undecided_rate = 245.0;
  EXPECT_TRUE(has(throughput_text(r), "batch 2 (245 /s) may keep it, too: it could not be decided"));
}

}  // namespace
}  // namespace strobe
