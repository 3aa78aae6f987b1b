// SPDX-License-Identifier: Apache-2.0
#include "study/merge_energy.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

Record energy_launch(double joules, double idle, double error) {
  Record r;
  r.energy.source = "NVML";
  r.energy.windows = {{.length_ns = 5e9, .joules = joules, .requests = 1000}};
  r.energy.idle_before_w = idle;
  r.energy.error = error;
  return r;
}

TEST(MergeEnergy, KeepsTheWindowsOfAllLaunches) {
  const EnergyAnswer whole = merge_energy({energy_launch(3000, 70, 0.001), energy_launch(3100, 80, 0.004)});
  ASSERT_EQ(whole.windows.size(), 2u);
  EXPECT_EQ(whole.windows[1].launch, 2u);
  EXPECT_DOUBLE_EQ(whole.windows[1].joules, 3100);
  EXPECT_DOUBLE_EQ(*whole.idle_before_w, 75);
  EXPECT_FALSE(whole.idle_after_w);
  EXPECT_DOUBLE_EQ(whole.error, 0.004);
}

}  // namespace
}  // namespace strobe
