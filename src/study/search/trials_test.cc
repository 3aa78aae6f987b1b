// SPDX-License-Identifier: Apache-2.0
#include "study/search/trials.h"

#include <cmath>

#include <gtest/gtest.h>

#include "host/facts.h"
#include "study/search/bound_search.h"

namespace strobe {
namespace {

Case trial(std::int64_t batch, double rate, std::int64_t streams = 1) {
  Case c;
  c.outcome = "fits";
  c.settings = {{"batch", batch}, {"streams", streams}, {"in_flight", std::int64_t{1}}};
  Metric m;
  m.unit = "items/s";
  m.n = 100;
  m.estimate.value = rate;
  c.metrics["throughput"] = m;
  return c;
}

std::vector<std::pair<std::int64_t, double>> middles(const std::vector<Case>& cases) {
  std::vector<std::pair<std::int64_t, double>> all;
  for (const std::size_t i : middle_trials(cases)) all.emplace_back(batch_of(cases[i]), *rate_of(cases[i]));
  return all;
}

using Middles = std::vector<std::pair<std::int64_t, double>>;

TEST(MiddleTrials, AreNotTheFastestOfRepeatsThatContradictEachOther) {
  EXPECT_EQ(middles({trial(1, 100), trial(4, 400), trial(1, 900), trial(1, 120)}), (Middles{{1, 120}, {4, 400}}));
  EXPECT_EQ(middles({trial(1, 900), trial(1, 100)}), (Middles{{1, 100}}));
}

TEST(MiddleTrials, AreOfOnePointAndOfTrialsThatRan) {
  Case failed = trial(1, 5);
  failed.outcome = "crashed";
  EXPECT_EQ(middles({failed, trial(1, 100), trial(1, 200, 2)}), (Middles{{1, 100}, {1, 200}}));
  EXPECT_TRUE(middles({failed}).empty());
}

Case bound_case(const char* bound, double late_share, std::string_view outcome = "fits") {
  Case c;
  c.outcome = outcome;
  c.trial = {.bound = bound, .late_share = late_share};
  return c;
}

TEST(SeemsMet, IsWhatIsMetOrOpenWithFewEnoughLate) {
  EXPECT_TRUE(seems_met(bound_case("met", 0.5), 0.99));
  EXPECT_TRUE(seems_met(bound_case("cannot-tell", 0.01), 0.99));
  EXPECT_FALSE(seems_met(bound_case("cannot-tell", 0.02), 0.99));
  EXPECT_TRUE(seems_met(bound_case("cannot-tell", 0.09), 0.9));
  EXPECT_FALSE(seems_met(bound_case("not-met", 0), 0.99));
  EXPECT_FALSE(seems_met(bound_case("cannot-tell", 0, "crashed"), 0.99));
}

TEST(FewestToProve, IsWhereNoneLateIsUnlikelyEnough) {
  const std::int64_t n = fewest_to_prove(0.99);
  const double error = 0.05 / static_cast<double>(kLooks * kUnprovenTried);
  EXPECT_LE(std::pow(0.99, static_cast<double>(n)), error);
  EXPECT_GT(std::pow(0.99, static_cast<double>(n - 1)), error);
}

TEST(Trials, LeaveATenthOfTheFreeMemoryUnlessALimitIsGiven) {
  ThroughputPlan o;
  Record r;
  const auto free = available_memory();
  if (!free) GTEST_SKIP() << "this kernel does not tell what is free";
  ASSERT_TRUE(Trials(o, r).host_limit);
  const double share = static_cast<double>(*Trials(o, r).host_limit) / static_cast<double>(free->count);
  EXPECT_NEAR(share, 0.9, 0.05);  // others take and give back memory meanwhile
  o.memory = 1 << 20;
  EXPECT_EQ(Trials(o, r).host_limit, 1u << 20);
}

}  // namespace
}  // namespace strobe
