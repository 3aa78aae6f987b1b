// SPDX-License-Identifier: Apache-2.0
#include "measure/full_queue.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace strobe {
namespace {

std::vector<double> steps(std::size_t before, double free, std::size_t after, double full) {
  std::vector<double> ns(before, free);
  ns.insert(ns.end(), after, full);
  return ns;
}

TEST(FullQueue, IsSeenWhereTheHostsPaceStepsUpToTheDevices) {
  const auto q = find_full_queue(steps(14, 630e3, 46, 2450e3));
  ASSERT_TRUE(q);
  EXPECT_EQ(q->after, 14u);
  EXPECT_DOUBLE_EQ(q->free_ns, 630e3);
  EXPECT_DOUBLE_EQ(q->full_ns, 2450e3);
  EXPECT_NEAR(q->in_flight, 14 - 14 * 630.0 / 2450, 1e-9);
}

TEST(FullQueue, BeginsWithTheRequestThatWaitsForSomeOfItsPlaces) {
  std::vector<double> ns = steps(14, 630e3, 46, 2450e3);
  ns[13] = 1100e3;
  EXPECT_EQ(find_full_queue(ns)->after, 13u);
  ns[13] = 640e3;
  EXPECT_EQ(find_full_queue(ns)->after, 14u);
}

TEST(FullQueue, IsSeenThroughNoiseAndASlowRequest) {
  Random random(1);
  std::vector<double> ns = steps(9, 630e3, 51, 2450e3);
  for (double& x : ns) x *= 1 + 0.05 * random.normal();
  ns[4] = 12e6;
  ns[30] = 12e6;
  const auto q = find_full_queue(ns);
  ASSERT_TRUE(q);
  EXPECT_EQ(q->after, 9u);
}

TEST(FullQueue, IsNotSeenWhereThePaceStaysWhereItStepsDownOrWhereOneRequestIsSlow) {
  EXPECT_FALSE(find_full_queue(steps(60, 630e3, 0, 0)));
  EXPECT_FALSE(find_full_queue(steps(30, 630e3, 30, 900e3)));  // less than half as long again
  EXPECT_FALSE(find_full_queue(steps(14, 2450e3, 46, 630e3)));
  std::vector<double> ns = steps(60, 630e3, 0, 0);
  ns[40] = 12e6;
  EXPECT_FALSE(find_full_queue(ns));
  Random random(2);
  for (double& x : ns) x = 630e3 * (1 + 0.3 * random.uniform());
  EXPECT_FALSE(find_full_queue(ns));
}

TEST(FullQueue, IsNotSeenInTooFewRequests) {
  EXPECT_FALSE(find_full_queue({}));
  EXPECT_FALSE(find_full_queue(steps(1, 630e3, 1, 2450e3)));
  EXPECT_TRUE(find_full_queue(steps(1, 630e3, 2, 2450e3)));
}

}  // namespace
}  // namespace strobe
