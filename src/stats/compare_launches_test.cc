// SPDX-License-Identifier: Apache-2.0
#include "testing/comparisons.h"
#include "testing/sleep_data.h"

namespace strobe::stats {
namespace {

using testing::kSleepA;
using testing::kSleepB;

TEST(CompareLaunches, IsWelchOnLogarithms) {
  const RatioComparison c = compare_launches(exponentials(kSleepA), exponentials(kSleepB));
  EXPECT_NEAR(std::log(c.ratio.value), 1.58, 1e-9);
  EXPECT_NEAR(std::log(*c.ratio.low), -0.2054832, 1e-6);
  EXPECT_NEAR(std::log(*c.ratio.high), 3.3654832, 1e-6);
  EXPECT_NEAR(c.p, 0.07939, 5e-6);
  EXPECT_EQ(c.outcome, Outcome::cannot_tell);
  EXPECT_EQ(c.pairs, 10u);
}

TEST(CompareLaunches, SidesMayHaveDifferentNumbers) {
  // The first four of A against all of B, computed by another program: 10.714 degrees, standard error 0.8174.
  const RatioComparison c = compare_launches(exponentials({0.7, -1.6, -0.2, -1.2}), exponentials(kSleepB));
  EXPECT_NEAR(std::log(c.ratio.value), 2.905, 1e-9);
  EXPECT_NEAR(std::log(*c.ratio.high / *c.ratio.low) / 2, 1.805029, 1e-6);
  EXPECT_NEAR(c.p, 0.0047068, 1e-7);
  EXPECT_EQ(c.outcome, Outcome::slower);
  EXPECT_EQ(c.pairs, 4u);
}

TEST(CompareLaunches, NamesADifferenceAtNinetyNinePercent) {
  const Values a{100, 101, 99, 100.5, 99.5};
  EXPECT_EQ(compare_launches(a, times(1.03, a)).outcome, Outcome::slower);
  EXPECT_EQ(compare_launches(a, times(0.97, a)).outcome, Outcome::faster);
  const RatioComparison near = compare_launches(a, times(1.015, a));  // t = 2.978, 8 degrees
  EXPECT_GT(*near.ratio.low, 1);
  EXPECT_NEAR(near.p, 0.017664, 1e-6);
  EXPECT_EQ(near.outcome, Outcome::cannot_tell);
  EXPECT_EQ(compare_launches(a, times(1.015, a), {.different = {0.98}}).outcome, Outcome::slower);
}

TEST(CompareLaunches, AreEquivalentWithinTheMargin) {
  const Values a{100, 100.1, 99.9, 100.05, 99.95};
  EXPECT_EQ(compare_launches(a, times(1.005, a)).outcome, Outcome::equivalent);
  EXPECT_EQ(compare_launches(a, times(1.005, a), {.margin = 0.004}).outcome, Outcome::slower);
}

TEST(CompareLaunches, SwappedOrInOtherUnitsSayTheSame) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Values a = exponentials(normal(5, 0, 0.01, seed));
    const Values b = exponentials(normal(7, 0.01 * static_cast<double>(seed % 4), 0.02, 1000 + seed));
    const RatioComparison ab = compare_launches(a, b);
    const RatioComparison ba = compare_launches(b, a);
    const RatioComparison scaled = compare_launches(times(1e6, a), times(1e6, b));
    EXPECT_NEAR(ab.ratio.value * ba.ratio.value, 1, 1e-12);
    EXPECT_NEAR(*ab.ratio.low * *ba.ratio.high, 1, 1e-12);
    EXPECT_NEAR(ab.p, ba.p, 1e-12);
    EXPECT_EQ(ab.outcome == Outcome::slower, ba.outcome == Outcome::faster);
    EXPECT_NEAR(ab.ratio.value, scaled.ratio.value, 1e-9);
    EXPECT_EQ(ab.outcome, scaled.outcome);
  }
}

TEST(CompareLaunches, OfOneLaunchTellNothingBelowTwoPercent) {
  const Values one{100};
  for (const double ratio : {1.0, 1.019, 0.982}) {
    const RatioComparison c = compare_launches(one, Values{100 * ratio});
    EXPECT_EQ(c.outcome, Outcome::cannot_tell) << "never equivalent: " << ratio;
    EXPECT_NEAR(c.ratio.value, ratio, 1e-12);
    EXPECT_FALSE(c.ratio.low || c.ratio.high);
    EXPECT_EQ(c.needs, 5u);
    EXPECT_EQ(c.p, 1);
  }
  EXPECT_EQ(compare_launches(one, Values{102.1}).outcome, Outcome::slower);
  EXPECT_EQ(compare_launches(one, Values{97.9}).outcome, Outcome::faster);
  EXPECT_FALSE(compare_launches(one, Values{97.9}).needs);
  EXPECT_EQ(compare_launches(one, Values{102.1, 102.1, 102.1}).outcome, Outcome::slower);
  EXPECT_FALSE(bounded(compare_launches(one, Values{101, 102, 103}).ratio));
}

TEST(CompareLaunches, SayHowManyWouldResolveIt) {
  // More launches lessen the error, and raise the degrees of freedom: both count.
  EXPECT_EQ(compare_launches(exponentials(kSleepA), exponentials(kSleepB)).needs, 22u);
  EXPECT_EQ(compare_launches(Values{100, 104}, Values{108, 112}).needs, 4u);
}

TEST(CompareLaunches, WithoutSpreadAreCertain) {
  const Values a(3, 7.0);
  const RatioComparison slower = compare_launches(a, Values(3, 7.7));
  EXPECT_EQ(slower.outcome, Outcome::slower);
  EXPECT_LT(slower.p, 1e-9);
  EXPECT_EQ(compare_launches(a, a).outcome, Outcome::equivalent);
  EXPECT_EQ(compare_launches(a, a).p, 1);
  EXPECT_EQ(compare_launches(Values(2, 1.0), Values(2, 2.0)).p, 0);
}

TEST(CompareLaunches, AreFiniteWhateverComes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const RatioComparison none = compare_launches({}, Values{1});
  EXPECT_EQ(none.ratio.value, 1);
  EXPECT_EQ(none.pairs, 0u);
  EXPECT_EQ(none.needs, 5u);
  for (const Values& b : {Values{0, -1, nan, kInfinity}, Values{1e300, 1e-300}, Values{1e308, 1e308, 1e308}, Values{}})
    for (const Values& a : {Values{1e-300, 2e-300, 3e-300}, Values{5}}) expect_finite(compare_launches(a, b));
  EXPECT_EQ(compare_launches(Values{1, 1, 0, nan}, Values{2, 2, 2}).pairs, 2u);
}

}  // namespace
}  // namespace strobe::stats
