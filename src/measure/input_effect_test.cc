#include "measure/input_effect.h"

#include <gtest/gtest.h>

#include "device/simulated/simulated_device.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

double effect_between(const char* given, const char* other) {
  SimulatedDevice a(parse_sim(given)), b(parse_sim(other));
  SimulatedWorkload x(a), y(b);
  return *input_effect(x, y);
}

TEST(InputEffect, IsTheRatioOfTheLatencies) {
  EXPECT_NEAR(effect_between("kernels=1x100us", "kernels=1x150us"), 1.5, 1e-9);
  EXPECT_NEAR(effect_between("kernels=1x100us", "kernels=1x100us"), 1, 1e-9);
}

TEST(InputEffect, IsNotFooledByTheFirstRequestsNorByDrift) {
  SimulatedDevice device(parse_sim("kernels=1x1ms,first=200ms,drift=0.5"));  // half as slow again after a second
  SimulatedWorkload x(device), y(device);
  EXPECT_NEAR(*input_effect(x, y), 1, 0.001);
}

TEST(InputEffect, IsUnknownWhenStopped) {
  SimulatedDevice a(parse_sim("kernels=1x100us")), b(parse_sim("kernels=1x100us"));
  SimulatedWorkload x(a), y(b);
  EXPECT_FALSE(input_effect(x, y, [] { return true; }));
}

}  // namespace
}  // namespace strobe
