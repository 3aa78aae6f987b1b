// SPDX-License-Identifier: Apache-2.0
#include "study/search/trial.h"

#include <gtest/gtest.h>

#include "stats/synthetic/processes.h"

namespace strobe {
namespace {

// Latencies around 1 ms of a process whose 99th percentile is known.
std::vector<double> latencies(const stats::Process& process, std::size_t n, std::uint64_t seed) {
  std::vector<double> x = stats::simulate(process, n, seed);
  for (double& v : x) v *= 1e6;
  return x;
}

TEST(LatencyBound, IsMetOnlyWhenAnIntervalSaysSo) {
  const double p99 = stats::true_quantile(stats::kWhite, 0.99) * 1e6;
  const auto x = latencies(stats::kWhite, 20'000, 3);
  EXPECT_EQ(decide({1.02 * p99, 0.99}, x, 4), "met");
  EXPECT_EQ(decide({0.98 * p99, 0.99}, x, 4), "not-met");
  EXPECT_EQ(decide({p99, 0.99}, x, 4), "cannot-tell");
}

TEST(LatencyBound, CannotBeToldFromTooFew) {
  EXPECT_EQ(decide({1e9, 0.99}, latencies(stats::kWhite, 100, 3), 4), "cannot-tell");
  EXPECT_EQ(decide({1e9, 0.5}, latencies(stats::kWhite, 10, 3), 4), "cannot-tell");
}

// A bound that is just not kept: four looks at a growing series, each of which may say "met" by luck.
TEST(LatencyBound, IsRarelyClaimedWhereItIsNotKept) {
  for (const stats::Process& process : {stats::kWhite, stats::kAr80}) {
    const double p90 = stats::true_quantile(process, 0.9) * 1e6;
    int claimed = 0;
    constexpr int kTrials = 400;
    for (int i = 0; i < kTrials; ++i) {
      const auto x = latencies(process, 8'000, static_cast<std::uint64_t>(i) + 1);
      bool met = false;
      for (const std::size_t n : {1'000u, 2'000u, 4'000u, 8'000u})
        met = met || decide({p90, 0.9}, std::span(x).first(n), 4) == "met";
      claimed += met;
    }
    EXPECT_LE(claimed, 0.025 * kTrials + 3 * 3.2) << process.name;  // 2.5 %, and three standard errors
  }
}

double window_of(double margin) {
  OpenOptions o;
  o.model = "sim:kernels=1x1ms,noise=0.05";
  TrialPlan t;
  t.point.batch = 0;  // as the model has it
  t.shortest_seconds = 1;
  t.longest_seconds = 20;
  t.margin = margin;
  return run_trial(o, t, {}).window_ns;
}

TEST(Trial, GoesOnUntilItsRateIsKnownAsWellAsAskedFor) {
  EXPECT_LT(window_of(0.2), 5e9);
  EXPECT_GT(window_of(1e-5), 15e9);
}

}  // namespace
}  // namespace strobe
