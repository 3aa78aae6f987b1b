// SPDX-License-Identifier: Apache-2.0
#include "stats/stopping.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

Look good() {
  return {.n = 5000, .request_seconds = 0.001, .median = {.value = 1, .low = 0.999, .high = 1.001}};
}

std::vector<Reason> reasons(const Look& g, double seconds = 5) {
  return decide(std::vector<Look>{g}, seconds, standard_rule()).reasons;
}

TEST(Checkpoints, GrowByHalfAndEndAtTheCap) {
  const auto t = checkpoints(5, 60);
  ASSERT_EQ(t.size(), 8u);
  EXPECT_DOUBLE_EQ(t[0], 5);
  EXPECT_DOUBLE_EQ(t[1], 7.5);
  EXPECT_DOUBLE_EQ(t[7], 60);
}

TEST(Checkpoints, WithACapBelowTheMinimumAreTheCap) {
  EXPECT_EQ(checkpoints(5, 3), std::vector<double>{3});
}

TEST(Checkpoints, WithoutAMinimumBeginSoon) {
  EXPECT_DOUBLE_EQ(checkpoints(0, 3).front(), 0.1);
  EXPECT_DOUBLE_EQ(checkpoints(0, 3).back(), 3);
}

TEST(Stopping, StopsAtTheFirstLookThatSatisfiesEverything) {
  const StopDecision d = decide(std::vector<Look>{good()}, 5, standard_rule());
  EXPECT_TRUE(d.stop);
  EXPECT_TRUE(d.converged);
  EXPECT_TRUE(d.reasons.empty());
  EXPECT_NEAR(*d.half_width, 0.001, 1e-12);
}

TEST(Stopping, EachConditionAloneKeepsItGoing) {
  Look few = good();
  few.n = 99;
  EXPECT_EQ(reasons(few), std::vector{Reason::too_few});
  Look wide = good();
  wide.median.high = 1.02;
  EXPECT_EQ(reasons(wide), std::vector{Reason::median_width});
  Look open = good();
  open.median.high.reset();
  EXPECT_EQ(reasons(open), std::vector{Reason::median_width});
  Look drifting = good();
  drifting.drifting = true;
  EXPECT_EQ(reasons(drifting), std::vector{Reason::drift});
  Look settling = good();
  settling.settling = Settling::not_settled;
  EXPECT_EQ(reasons(settling), std::vector{Reason::warm_up});
  Look shifting = good();
  shifting.shifting = true;
  EXPECT_EQ(reasons(shifting), std::vector{Reason::level_shift});
  EXPECT_EQ(reasons(good(), 4.9), std::vector{Reason::window_short});
}

TEST(Stopping, ACoarseClockCannotReachAFineMargin) {
  Look coarse = good();
  coarse.tick = 0.02;
  EXPECT_EQ(reasons(coarse), std::vector{Reason::median_width});
}

TEST(Stopping, AFinishedWarmUpIsNoReason) {
  Look g = good();
  g.settling = Settling::warm_up;
  EXPECT_TRUE(reasons(g).empty());
}

TEST(Stopping, SlowRequestsNeedOnlyTwenty) {
  Look g = good();
  g.request_seconds = 0.06;
  g.n = 20;
  EXPECT_TRUE(reasons(g).empty());
  g.n = 19;
  EXPECT_EQ(reasons(g), std::vector{Reason::too_few});
}

TEST(Stopping, NamedTailsNeedABoundTenSamplesBeyondAndTwentyOccasions) {
  Look g = good();
  g.tails = {{.p = 0.99, .bounded = true, .n_eff = 1000, .clusters = 20}};
  EXPECT_TRUE(reasons(g).empty());
  g.tails = {{.p = 0.99, .bounded = true, .n_eff = 999, .clusters = 20}};
  EXPECT_EQ(reasons(g), std::vector{Reason::tail_unsupported});
  g.tails = {{.p = 0.99, .bounded = true, .n_eff = 1000, .clusters = 19}};
  EXPECT_EQ(reasons(g), std::vector{Reason::tail_unsupported});
  g.tails = {{.p = 0.99, .bounded = false, .n_eff = 1000, .clusters = 20}};
  EXPECT_EQ(reasons(g), std::vector{Reason::tail_unsupported});
}

TEST(Stopping, AtTheCapItStopsAndNamesWhatFailed) {
  Look g = good();
  g.drifting = true;
  const StopDecision d = decide(std::vector<Look>{g}, 60, standard_rule());
  EXPECT_TRUE(d.stop);
  EXPECT_FALSE(d.converged);
  EXPECT_EQ(d.reasons, std::vector{Reason::drift});
}

TEST(Stopping, SustainedNeedsTwoLooksInARow) {
  const std::vector<Look> looks{good()};
  const StopDecision first = decide(looks, 60, sustained_rule());
  EXPECT_FALSE(first.stop);
  EXPECT_TRUE(decide(looks, 90, sustained_rule(), first.passes).converged);
}

TEST(Stopping, EveryLookMustPassAndAReasonIsNamedOnce) {
  Look bad = good();
  bad.n = 3;
  EXPECT_TRUE(decide(std::vector<Look>{good(), good()}, 5, standard_rule()).stop);
  const StopDecision d = decide(std::vector<Look>{bad, good(), bad}, 5, standard_rule());
  EXPECT_FALSE(d.stop);
  EXPECT_EQ(d.reasons, std::vector{Reason::too_few});
}

TEST(ExceedanceClusters, JoinsExceedancesWithAtMostTenSamplesBetween) {
  std::vector<double> x(40, 0.0);
  x[0] = x[11] = 1;  // 10 samples between: one occasion
  x[23] = 1;         // 11 between: another
  EXPECT_EQ(exceedance_clusters(x, 0.5), 2u);
  EXPECT_EQ(exceedance_clusters(x, 1), 0u);
  EXPECT_EQ(exceedance_clusters({}, 0), 0u);
}

TEST(Examine, SeesAQuietSeriesAsSettled) {
  const auto x = simulate(kWhite, 5000, 1);
  StopRule rule = standard_rule();
  rule.tails = {0.99};
  const Look g = examine(Series{.values = x}, 0.001, Settling::flat, rule);
  EXPECT_TRUE(decide(std::vector<Look>{g}, 5, rule).converged);
  ASSERT_EQ(g.tails.size(), 1u);
  EXPECT_TRUE(g.tails[0].bounded);
}

TEST(Examine, SeesDriftAndShift) {
  const Look drifting =
      examine(Series{.values = with_drift(simulate(kWhite, 5000, 1), 0.04)}, 0.001, Settling::flat, {});
  EXPECT_TRUE(drifting.drifting);
  const auto stepped = with_late_step(simulate(kWhite, 5000, 1), 0.1, 2500);
  EXPECT_TRUE(examine(Series{.values = stepped}, 0.001, Settling::flat, {}).shifting);
}

TEST(Examine, OfNothingGivesALookThatDoesNotPass) {
  const Look g = examine(Series{}, 0, Settling::flat, {});
  EXPECT_FALSE(decide(std::vector<Look>{g}, 5, standard_rule()).stop);
}

}  // namespace
}  // namespace strobe::stats
