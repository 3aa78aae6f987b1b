// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "verdict/detectors.h"

namespace strobe {
namespace {

Metric joules_of(const char* unit, double value) {
  Metric m;
  m.unit = unit;
  m.estimate = {value, 0.999 * value, 1.001 * value, true, {}};
  return m;
}

// 0.8 J a request at 680 W, 80 W idle.
Record with_energy() {
  Record r;
  r.device.kind = "cuda";
  r.energy.source = "NVML";
  r.energy.windows.assign(5, {.length_ns = 5e9, .joules = 3400, .requests = 4250});
  r.energy.step_ns = 1e8;
  r.energy.read_ns = 2.4e6;
  r.energy.error = 0.001;
  r.energy.idle_before_w = r.energy.idle_after_w = 80;
  r.metrics["energy"] = joules_of("J", 0.8);
  r.metrics["energy_net"] = joules_of("J", 0.706);
  r.metrics["power"] = joules_of("W", 680);
  return r;
}

TEST(EnergyWindows, AreTooFewBelowFive) {
  Record r = with_energy();
  EXPECT_FALSE(energy_windows(r));
  r.energy.windows.resize(4);
  const auto f = energy_windows(r);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->severity, Severity::note);
  EXPECT_EQ(f->message, "energy was read in 4 windows of 5.00 s only");
}

TEST(EnergyWindows, AreTooShortForACounterThatCannotBeReadToOnePerCent) {
  Record r = with_energy();
  r.energy.error = 0.011;
  const auto f = energy_windows(r);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->severity, Severity::warning);
  EXPECT_EQ(f->metric, "energy");
  r.energy.error = 0.009;
  EXPECT_FALSE(energy_windows(r));
}

TEST(EnergyShared, SaysWhoseEnergyIsInTheCounter) {
  Record r = with_energy();
  EXPECT_FALSE(energy_shared(r));
  r.device.facts["other_processes"] = std::int64_t{2};
  ASSERT_TRUE(energy_shared(r));
  EXPECT_EQ(energy_shared(r)->message, "what 2 other processes on this GPU take is in the energy");
  r.device.facts = {{"mig", true}};
  ASSERT_TRUE(energy_shared(r));
  EXPECT_NE(energy_shared(r)->message.find("MIG"), std::string::npos);
  r.energy.windows.clear();  // nobody asked for energy
  EXPECT_FALSE(energy_shared(r));
}

TEST(EnergyBaseline, WeighsHowFarTheIdlePowersAreApart) {
  Record r = with_energy();
  r.energy.idle_after_w = 81;
  EXPECT_FALSE(energy_baseline(r));
  r.energy.idle_after_w = 90;
  const auto f = energy_baseline(r);
  ASSERT_TRUE(f);
  EXPECT_NEAR(f->evidence.at("effect"), 5.0 * 0.8 / 680 / 0.706, 1e-9);  // half of 10 W, for a request's 1.18 ms
  EXPECT_EQ(f->severity, Severity::note);                                // 0.8 %
  r.energy.idle_after_w = 120;
  EXPECT_EQ(energy_baseline(r)->severity, Severity::warning);
}

}  // namespace
}  // namespace strobe
