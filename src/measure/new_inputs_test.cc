// SPDX-License-Identifier: Apache-2.0
#include "measure/new_inputs.h"

#include <set>

#include <gtest/gtest.h>

#include "device/simulated/simulated_device.h"
#include "testing/conductors.h"

namespace strobe {
namespace {

// Takes `first` for an input set that it has not seen, and `again` for one that it has.
class Remembering final : public Workload {
 public:
  Remembering(SimulatedDevice& device, nanoseconds first, nanoseconds again, std::size_t sets = kNewInputSets)
      : stream_(device), first_(first), again_(again), sets_(sets) {}
  void submit(std::size_t request) override {
    stream_.launch_kernel(0ns, seen_.insert(request % sets_).second ? first_ : again_);
    ++requests;
  }
  Stream& stream() override { return stream_; }
  std::size_t input_sets() const override { return sets_; }

  std::size_t requests = 0;

 private:
  SimulatedStream stream_;
  nanoseconds first_, again_;
  std::size_t sets_;
  std::set<std::size_t> seen_;
};

TEST(NewInputs, TakeLongerWhereTheWorkOfKnownOnesIsSkipped) {
  SimulatedDevice device(parse_sim("kernels=1x1ms"));
  Remembering skips(device, 1ms, 20us), works(device, 1ms, 1ms);
  EXPECT_NEAR(*new_input_ratio(skips, alone), 50, 1e-9);
  EXPECT_NEAR(*new_input_ratio(works, alone), 1, 1e-9);
}

TEST(NewInputs, OfASlowModelAreFew) {
  SimulatedDevice device(parse_sim("kernels=1x1ms"));
  Remembering slow(device, 10s, 10s);
  EXPECT_NEAR(*new_input_ratio(slow, alone), 1, 1e-9);
  EXPECT_EQ(slow.requests, 6u + 3u * 3u);
}

TEST(NewInputs, AreUnknownWithoutEnoughSetsAndWhenStopped) {
  SimulatedDevice device(parse_sim("kernels=1x1ms"));
  Remembering few(device, 1ms, 1ms, 3), many(device, 1ms, 1ms);
  EXPECT_FALSE(new_input_ratio(few, alone));
  LocalConductor stopped([] { return true; });
  EXPECT_FALSE(new_input_ratio(many, stopped));
}

}  // namespace
}  // namespace strobe
