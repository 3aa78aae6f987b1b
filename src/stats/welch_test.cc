// SPDX-License-Identifier: Apache-2.0
#include "stats/welch.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "testing/sleep_data.h"

namespace strobe::stats {
namespace {

using Values = std::vector<double>;

using testing::kSleepA;
using testing::kSleepB;

TEST(Welch, OfStudentsSleepDataIsWhatIsPrinted) {
  const Welch w = welch(kSleepA, kSleepB);
  EXPECT_NEAR(w.difference / w.error, 1.8608, 5e-5);
  EXPECT_NEAR(w.degrees, 17.776, 5e-4);
  EXPECT_NEAR(p_value(w), 0.07939, 5e-6);
  EXPECT_NEAR(*interval(w).low, -0.2054832, 1e-6);
  EXPECT_NEAR(*interval(w).high, 3.3654832, 1e-6);
}

TEST(Welch, OfUnequalSidesWeighsEachByItsSize) {
  const Welch w = welch(Values{0.7, -1.6, -0.2, -1.2}, kSleepB);  // figures by another program
  EXPECT_NEAR(w.error, 0.8174299, 1e-7);
  EXPECT_NEAR(w.degrees, 10.7139421, 1e-7);
  EXPECT_NEAR(p_value(w), 0.00470678, 1e-8);
}

TEST(Welch, WithOneConstantSideHasTheDegreesOfTheOther) {
  EXPECT_NEAR(welch(Values{1, 1, 1, 1, 1, 1}, Values{1, 2, 4}).degrees, 2, 1e-12);
}

TEST(Welch, WithoutSpreadIsCertain) {
  const Welch same = welch(Values{1, 1}, Values{1, 1, 1});
  EXPECT_EQ(p_value(same), 1);
  EXPECT_EQ(same.degrees, 3);
  EXPECT_EQ(p_value(welch(Values{1, 1}, Values{2, 2})), 0);
  EXPECT_EQ(*interval(welch(Values{1, 1}, Values{2, 2})).low, 1);
}

TEST(Welch, OfRepeatedDataIsWhatMorePairsForesee) {
  Values a = kSleepA;
  Values b = kSleepB;
  a.insert(a.end(), kSleepA.begin(), kSleepA.end());
  b.insert(b.end(), kSleepB.begin(), kSleepB.end());
  const Welch twice = welch(a, b);
  const Welch foreseen = with_pairs(welch(kSleepA, kSleepB), 20);
  EXPECT_NEAR(foreseen.difference, twice.difference, 1e-12);
  EXPECT_NEAR(foreseen.error / twice.error, 1, 0.03);  // the divisor n - 1
  EXPECT_NEAR(foreseen.degrees, twice.degrees, 1e-9);
  EXPECT_EQ(foreseen.pairs, 20);
}

}  // namespace
}  // namespace strobe::stats
