// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/energy_model.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/simulated/simulated_device.h"

namespace strobe {
namespace {

SimParameters powered(const char* more = "") {
  return parse_sim(std::string("idle_power=80W,active_power=600W") + more);
}

TEST(EnergyModel, TakesIdlePowerAlwaysAndMoreWhileAKernelRuns) {
  EnergyModel model(powered());
  model.add_work(1s, 1500ms, 0s);
  EXPECT_DOUBLE_EQ(model.joules(1s), 80);
  EXPECT_DOUBLE_EQ(model.joules(1250ms), 80 * 1.25 + 600 * 0.25);
  EXPECT_DOUBLE_EQ(model.joules(2s), 80 * 2 + 600 * 0.5);
  EXPECT_DOUBLE_EQ(model.joules(3s), 80 * 3 + 600 * 0.5);
}

TEST(EnergyModel, CountsKernelsBesideEachOther) {
  EnergyModel model(powered());
  model.add_work(0s, 1s, 0s);
  model.add_work(0s, 1s, 0s);
  EXPECT_DOUBLE_EQ(model.joules(1s), 80 + 2 * 600);
}

TEST(EnergyModel, StepsAsOftenAsItsCounter) {
  EnergyModel model(powered(",energy_step=100ms"));
  std::vector<double> seen{model.joules(1s)};
  for (nanoseconds t = 1s; t < 2s; t += 1ms) {
    if (const double now = model.joules(t); now != seen.back()) seen.push_back(now);
  }
  ASSERT_EQ(seen.size(), 11u);  // ten steps in a second
  for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_NEAR(seen[i] - seen[i - 1], 8, 1e-9);
}

TEST(EnergyModel, ALaunchBeginsSomewhereBetweenTwoSteps) {
  SimParameters p = powered(",energy_step=100ms");
  const double first = EnergyModel(p).joules(1s);
  EXPECT_EQ(first, EnergyModel(p).joules(1s));
  p.launch = 1;
  EXPECT_NE(first, EnergyModel(p).joules(1s));
}

TEST(SimulatedEnergy, TakesTheTimeOfWhoeverReads) {
  SimulatedDevice device(powered(",energy_read=2.4ms"));
  const EnergySource source = device.energy();
  ASSERT_TRUE(source.counter);
  EXPECT_DOUBLE_EQ(source.counter->joules(), 80 * 2.4e-3);
  EXPECT_EQ(device.clock().now(), 2400us);
}

TEST(SimulatedEnergy, CountsWhatStreamsRan) {
  SimulatedDevice device(powered());
  const auto stream = device.stream();
  static_cast<SimulatedStream&>(*stream).launch_kernel(1us, 10ms);
  stream->synchronize();
  const double seconds = to_seconds(device.clock().now());
  EXPECT_NEAR(device.energy().counter->joules(), 80 * seconds + 600 * 10e-3, 1e-9);
}

TEST(SimulatedEnergy, IsMissingWhereNoPowerIsGiven) {
  SimulatedDevice device(parse_sim("kernels=1us"));
  EXPECT_FALSE(device.energy().counter);
  EXPECT_NE(device.energy().why_not.find("idle_power"), std::string::npos);
  EXPECT_THROW(parse_sim("kernels=1us,energy_step=100ms"), Error);
  EXPECT_THROW(parse_sim("kernels=1us,idle_power=80"), Error);
}

}  // namespace
}  // namespace strobe
