// SPDX-License-Identifier: Apache-2.0
// Against closed forms: a simulated device takes `idle_power` always and `active_power` while a kernel runs, and its
// counter steps every 100 ms and takes 2.4 ms to read, as an H200's does.
#include "measure/energy.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "base/random.h"
#include "device/simulated/simulated_device.h"
#include "measure/energy_metrics.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

constexpr const char* kPower = ",idle_power=80W,active_power=600W,energy_step=100ms,energy_read=2.4ms";

struct Measured {
  EnergySamples samples;
  Record record;

  double value(const char* metric) const { return record.metrics.at(metric).estimate.value; }
  const Estimate& of(const char* metric) const { return record.metrics.at(metric).estimate; }
};

Measured energy_of(const std::string& work, const EnergyPlan& plan = {}, std::uint64_t launch = 0) {
  SimParameters p = parse_sim(work + kPower);
  p.launch = launch;
  SimulatedDevice device(p);
  SimulatedWorkload workload(device);
  LocalConductor conductor;
  Measured m;
  m.samples = measure_energy(workload, plan, conductor);
  add_energy(m.samples, 1, m.record);
  return m;
}

bool holds(const Estimate& e, double truth) {
  return e.bounded() && *e.low <= truth && truth <= *e.high;
}

TEST(EnergyEdge, LiesWithinTwoReadingsOfAStep) {
  SimulatedDevice device(parse_sim(std::string("kernels=1ms") + kPower));
  const auto counter = device.energy().counter;
  const auto never = [] { return false; };
  const auto first = next_edge(*counter, device.clock(), never), second = next_edge(*counter, device.clock(), never);
  ASSERT_TRUE(first && second);
  EXPECT_LE(first->error, 2400us);
  EXPECT_NEAR(second->joules - first->joules, 8, 1e-9);  // 80 W for 100 ms
  EXPECT_NEAR(to_double(second->at - first->at), 100e6, to_double(first->error + second->error));
}

TEST(EnergyEdge, IsNotWaitedForWhereTheCounterStands) {
  SimulatedDevice device(parse_sim("active_power=600W,energy_read=2.4ms"));
  const auto counter = device.energy().counter;
  EXPECT_THROW(next_edge(*counter, device.clock(), [] { return false; }), Error);
  EXPECT_FALSE(next_edge(*counter, device.clock(), [] { return true; }));
}

TEST(Energy, OfADeviceThatNeverIdlesIsItsPowerForTheTimeOfARequest) {
  const Measured m = energy_of("kernels=1ms,launch=4us");
  ASSERT_EQ(m.samples.why_not, "");
  EXPECT_EQ(m.samples.windows.size(), 3u);
  EXPECT_TRUE(holds(m.of("energy"), 680e-3));
  EXPECT_TRUE(holds(m.of("energy_net"), 600e-3));
  EXPECT_NEAR(m.value("power"), 680, 0.68);
  EXPECT_NEAR(m.value("idle_power"), 80, 0.08);
  EXPECT_NEAR(m.value("energy"), 680e-3, 0.68e-3);
}

// The host needs 3 ms for what keeps the device busy for 1 ms.
TEST(Energy, OfARequestThatTheDeviceWaitsForHasTheIdlePowerOfAllItsTime) {
  const Measured m = energy_of("kernels=1ms,launch=3ms");
  EXPECT_TRUE(holds(m.of("energy"), 80 * 3e-3 + 600 * 1e-3));
  EXPECT_TRUE(holds(m.of("energy_net"), 600e-3));
}

TEST(Energy, WindowsBeginAndEndAtStepsAndLastAtLeastFiveSeconds) {
  const Measured m = energy_of("kernels=1ms,launch=4us");
  for (const EnergyWindow& w : m.samples.windows) {
    EXPECT_GE(w.stretch.length(), 5s);
    EXPECT_LE(w.stretch.length(), 5200ms);
    EXPECT_LE(w.stretch.error(), 0.001);
    const double steps = w.stretch.joules() / 68;  // of 100 ms at 680 W: whole ones
    EXPECT_NEAR(steps, std::round(steps), 1e-6);
  }
}

TEST(Energy, ReadingTheCounterTakesNoTimeOfRequests) {
  const Measured m = energy_of("kernels=1ms,launch=4us");
  for (const EnergyWindow& w : m.samples.windows) EXPECT_NEAR(w.requests, to_seconds(w.stretch.length()) / 1e-3, 1);
  EXPECT_EQ(m.samples.read, 2400us);
  EXPECT_NEAR(to_double(m.samples.step), 100e6, 5e6);
}

TEST(Energy, CountsAPartOfASlowRequest) {
  const Measured m = energy_of("kernels=437ms,launch=4us", {.typical = 437ms});
  ASSERT_EQ(m.samples.why_not, "");
  EXPECT_TRUE(holds(m.of("energy"), 680 * 0.437));
  for (const EnergyWindow& w : m.samples.windows) {
    EXPECT_GE(w.requests, 19.9);
    EXPECT_NEAR(w.requests, to_seconds(w.stretch.length()) / 0.437, 0.02);
  }
}

TEST(Energy, BeginsAtRandomPhasesWhereRequestsAreSlow) {
  const auto begins = [](nanoseconds typical, std::uint64_t seed) {
    const Measured m = energy_of("kernels=50ms,launch=4us", {.typical = typical, .seed = seed});
    std::vector<nanoseconds> at;
    for (const EnergyWindow& w : m.samples.windows) at.push_back(w.stretch.from.at);
    return at;
  };
  EXPECT_EQ(begins(50ms, 1), begins(50ms, 1));
  EXPECT_NE(begins(50ms, 1), begins(50ms, 2));
  EXPECT_EQ(begins(1ms, 1), begins(1ms, 2));  // short ones are at every phase anyway
}

TEST(Energy, TwoLaunchesAgreeWithinTheirIntervals) {
  const Measured a = energy_of("kernels=1ms,launch=4us,noise=0.01", {}, 0);
  const Measured b = energy_of("kernels=1ms,launch=4us,noise=0.01", {}, 1);
  EXPECT_NE(a.value("energy"), b.value("energy"));
  EXPECT_LE(*a.of("energy").low, *b.of("energy").high);
  EXPECT_LE(*b.of("energy").low, *a.of("energy").high);
}

// E = P₀·t + e·N over four duty cycles in random order: least squares without a constant.
TEST(Energy, IsIdlePowerForTheTimeAndAShareForEachRequest) {
  struct Sums {
    double tt = 0, tn = 0, nn = 0, te = 0, ne = 0;
  } x;
  std::vector<const char*> duty{"launch=4us", "launch=1.5ms", "launch=2ms", "launch=5ms"};
  Random random(7);
  while (!duty.empty()) {
    const std::size_t i = random.below(duty.size());
    const Measured m = energy_of(std::string("kernels=1ms,") + duty[i]);
    duty.erase(duty.begin() + static_cast<std::ptrdiff_t>(i));
    for (const EnergyWindow& w : m.samples.windows) {
      const double t = to_seconds(w.stretch.length()), n = w.requests, e = w.stretch.joules();
      x.tt += t * t;
      x.tn += t * n;
      x.nn += n * n;
      x.te += t * e;
      x.ne += n * e;
    }
  }
  const double det = x.tt * x.nn - x.tn * x.tn;
  EXPECT_NEAR((x.te * x.nn - x.ne * x.tn) / det, 80, 0.8);     // P₀, watts
  EXPECT_NEAR((x.ne * x.tt - x.te * x.tn) / det, 0.6, 0.006);  // e, joules
}

TEST(Energy, OfTwoPartsIsThatOfTheWhole) {
  const Measured a = energy_of("kernels=1x700us,launch=4us"), b = energy_of("kernels=4x200us,launch=4us"),
                 both = energy_of("kernels=1x700us+4x200us,launch=4us");
  const auto half = [](const Estimate& e) { return (*e.high - *e.low) / 2; };
  EXPECT_NEAR(both.value("energy"), a.value("energy") + b.value("energy"),
              half(both.of("energy")) + half(a.of("energy")) + half(b.of("energy")));
  EXPECT_TRUE(holds(both.of("energy"), 680 * 1.5e-3));
}

TEST(Energy, IsUnknownWhereTheDeviceHasNoCounter) {
  SimulatedDevice device(parse_sim("kernels=1ms"));
  SimulatedWorkload workload(device);
  LocalConductor conductor;
  EXPECT_NE(measure_energy(workload, {}, conductor).why_not.find("idle_power"), std::string::npos);
}

TEST(Energy, TakesFewerWindowsWhereThereIsLittleTimeAndNoneWhereThereIsTooLittle) {
  const Measured some = energy_of("kernels=1ms", {.deadline = 18s});
  EXPECT_EQ(some.samples.windows.size(), 2u);
  EXPECT_TRUE(some.samples.idle_before);
  EXPECT_LE(some.samples.took, 18s);
  const Measured none = energy_of("kernels=1ms", {.deadline = 11s});
  EXPECT_TRUE(none.samples.windows.empty());
  EXPECT_NE(none.samples.why_not.find("there was no time"), std::string::npos);
  EXPECT_EQ(none.samples.took, 0s);
}

TEST(Energy, StopsWhereSomebodyAsks) {
  SimulatedDevice device(parse_sim(std::string("kernels=1ms") + kPower));
  SimulatedWorkload workload(device);
  LocalConductor conductor([&] { return device.clock().now() > 8s; });
  const EnergySamples s = measure_energy(workload, {}, conductor);
  EXPECT_TRUE(s.stopped);
  EXPECT_TRUE(s.windows.empty());
  EXPECT_EQ(s.why_not, "it was stopped before");
  EXPECT_LT(device.clock().now(), 9s);
}

TEST(EnergyLength, IsAtLeastFiveWindowsInAll) {
  Options o;
  EXPECT_EQ(energy_length(o, 1).windows, 5u);
  EXPECT_EQ(energy_length(o, 5).windows, 3u);
  EXPECT_GE(energy_length(o, 5).window, 5s);
  o.effort = Effort::sustained;
  EXPECT_EQ(energy_length(o, 5).window, 10s);
}

}  // namespace
}  // namespace strobe
