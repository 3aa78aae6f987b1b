// SPDX-License-Identifier: Apache-2.0
#include "measure/trip.h"

#include <gtest/gtest.h>

#include "workload/simulated_workload.h"

namespace strobe {
namespace {

std::optional<std::string> explained(const char* text, std::size_t requests = 1) {
  SimulatedDevice device(parse_sim(text));
  SimulatedWorkload work(device);
  std::size_t request = 0;
  return explain_trip(work, requests, "a request", request);
}

TEST(Trip, IsOfAFullQueueWhereAllKernelsAreMoreThanItHolds) {
  EXPECT_EQ(
      explained("kernels=1000x1us,queue=1000"),
      "a request launches 1000 kernels, and the device's queue has room for 1000: they cannot all be queued before "
      "it starts");
  EXPECT_EQ(explained("kernels=999x1us,queue=1000"), std::nullopt);
  EXPECT_TRUE(explained("kernels=500x1us,queue=1000", 2).has_value());
}

TEST(Trip, HasNoReasonWhereNobodyKnowsTheRoom) {
  EXPECT_EQ(explained("kernels=1000x1us"), std::nullopt);
}

}  // namespace
}  // namespace strobe
