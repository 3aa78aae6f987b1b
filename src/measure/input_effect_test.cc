// SPDX-License-Identifier: Apache-2.0
#include "measure/input_effect.h"

#include <gtest/gtest.h>

#include "device/simulated/simulated_device.h"
#include "testing/conductors.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

double effect_between(const char* given, const char* other) {
  SimulatedDevice a(parse_sim(given)), b(parse_sim(other));
  SimulatedWorkload x(a), y(b);
  return *input_effect(x, y, alone);
}

TEST(InputEffect, IsTheRatioOfTheLatencies) {
  EXPECT_NEAR(effect_between("kernels=1x100us", "kernels=1x150us"), 1.5, 1e-9);
  EXPECT_NEAR(effect_between("kernels=1x100us", "kernels=1x100us"), 1, 1e-9);
}

TEST(InputEffect, IsNotFooledByTheFirstRequestsNorByDrift) {
  SimulatedDevice device(parse_sim("kernels=1x1ms,first=200ms,drift=0.5"));  // half as slow again after a second
  SimulatedWorkload x(device), y(device);
  EXPECT_NEAR(*input_effect(x, y, alone), 1, 0.001);
}

// Two workloads of equal requests on one device. The first two requests of `slow_to_return` take three times as long
// when the other workload ran before them.
class Sharing final : public Workload {
 public:
  Sharing(SimulatedDevice& device, const Workload*& last, bool slow_to_return)
      : stream_(device), last_(last), slow_to_return_(slow_to_return) {}
  void submit(std::size_t) override {
    since_return_ = std::exchange(last_, this) == this ? since_return_ + 1 : 0;
    stream_.launch_kernel(0ns, slow_to_return_ && since_return_ < 2 ? 60ms : 20ms);
  }
  Stream& stream() override { return stream_; }

 private:
  SimulatedStream stream_;
  const Workload*& last_;
  bool slow_to_return_;
  int since_return_ = 0;
};

TEST(InputEffect, IsNotFooledByWhatTakingTurnsCosts) {
  SimulatedDevice device(parse_sim("kernels=1x1ms"));
  const Workload* last = nullptr;
  Sharing x(device, last, true), y(device, last, false);
  EXPECT_NEAR(*input_effect(x, y, alone), 1, 1e-9);
}

TEST(InputEffect, IsUnknownWhenStopped) {
  SimulatedDevice a(parse_sim("kernels=1x100us")), b(parse_sim("kernels=1x100us"));
  SimulatedWorkload x(a), y(b);
  LocalConductor stopped([] { return true; });
  EXPECT_FALSE(input_effect(x, y, stopped));
}

}  // namespace
}  // namespace strobe
