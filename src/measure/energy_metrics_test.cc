// SPDX-License-Identifier: Apache-2.0
#include "measure/energy_metrics.h"

#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "stats/distributions.h"

namespace strobe {
namespace {

EnergyStretch stretch(double seconds, double joules, nanoseconds error = 0ns) {
  const nanoseconds length = to_nanoseconds(1e9 * seconds);
  return {{.at = 0ns, .error = error, .joules = 1000}, {.at = length, .error = error, .joules = 1000 + joules}};
}

EnergySamples samples(const std::vector<std::pair<double, double>>& joules_and_requests) {
  EnergySamples s;
  s.source = "NVML";
  for (const auto& [joules, requests] : joules_and_requests) s.windows.push_back({stretch(5, joules), requests});
  return s;
}

TEST(EnergyRatio, IsOfSumsAndHasStudentsInterval) {
  const std::vector<EnergyValue> windows{{3000, 1000, 5}, {3100, 1000, 5}, {3200, 1000, 5}};
  const Estimate e = energy_ratio(windows, &EnergyValue::requests, 0);
  EXPECT_DOUBLE_EQ(e.value, 3.1);
  const double half = stats::student_t_quantile(0.975, 2) * 0.1 / std::sqrt(3.0);
  EXPECT_NEAR(*e.low, 3.1 - half, 1e-9);
  EXPECT_NEAR(*e.high, 3.1 + half, 1e-9);
}

TEST(EnergyRatio, AddsWhatAllWindowsMayBeOffAlike) {
  const std::vector<EnergyValue> windows{{3000, 1000, 5}, {3000, 1000, 5}};
  const Estimate e = energy_ratio(windows, &EnergyValue::requests, 0.002);
  EXPECT_NEAR(*e.low, 3 * 0.998, 1e-9);
  EXPECT_NEAR(*e.high, 3 * 1.002, 1e-9);
}

TEST(EnergyRatio, OfOneWindowIsUnbounded) {
  const Estimate e = energy_ratio({{3000, 1000, 5}}, &EnergyValue::requests, 0.002);
  EXPECT_DOUBLE_EQ(e.value, 3);
  EXPECT_FALSE(e.bounded());
  EXPECT_FALSE(e.why.empty());
}

TEST(EnergyMetrics, TakeOffWhatTheDeviceTakesIdleForAsLongAsARequestLasts) {
  EnergySamples s = samples({{3400, 1000}, {3400, 1000}});
  s.idle_before = stretch(5, 390);
  s.idle_after = stretch(5, 410);
  Record r;
  add_energy(s, 8, r);
  EXPECT_DOUBLE_EQ(r.metrics["energy"].estimate.value, 3.4);
  EXPECT_DOUBLE_EQ(r.metrics["items_per_joule"].estimate.value, 8 / 3.4);
  EXPECT_DOUBLE_EQ(r.metrics["power"].estimate.value, 680);
  EXPECT_DOUBLE_EQ(r.metrics["idle_power"].estimate.value, 80);
  EXPECT_DOUBLE_EQ(r.metrics["energy_net"].estimate.value, 3.4 - 80 * 0.005);
  EXPECT_NEAR(*r.metrics["energy_net"].estimate.high, 3.0 + 2 * 0.005, 1e-9);  // 78 to 82 W idle
  EXPECT_EQ(r.metrics["energy"].n, 2000u);
  EXPECT_EQ(r.metrics["energy"].n_eff, 2);
  EXPECT_EQ(r.energy.windows.size(), 2u);
}

TEST(EnergyMetrics, PrintTheErrorOfTheEdges) {
  EnergySamples s = samples({});
  s.windows.push_back({stretch(5, 3400, 5ms), 1000});
  s.windows.push_back({stretch(5, 3400, 2ms), 1000});
  Record r;
  add_energy(s, 1, r);
  EXPECT_NEAR(r.energy.error, 0.002, 1e-12);  // 5 ms at each end of 5 s
  EXPECT_NEAR(*r.metrics["energy"].estimate.high, 3.4 * 1.002, 1e-9);
}

TEST(EnergyMetrics, HaveNoNetWithoutABaseline) {
  Record r;
  add_energy(samples({{3400, 1000}, {3400, 1000}}), 1, r);
  EXPECT_TRUE(r.find("energy"));
  EXPECT_FALSE(r.find("energy_net"));
}

TEST(EnergyMetrics, AreUnknownForAReason) {
  EnergySamples s;
  s.why_not = "the kernel counts no energy here";
  Record r;
  add_energy(s, 1, r);
  EXPECT_EQ(r.metrics["energy"].unknown, s.why_not);
  EXPECT_TRUE(r.energy.source.empty());
  add_energy(samples({{3400, 0}}), 1, r);
  EXPECT_EQ(r.metrics["energy"].unknown, "no request was completed in a window");
}

}  // namespace
}  // namespace strobe
