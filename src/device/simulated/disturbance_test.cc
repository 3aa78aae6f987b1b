// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/disturbance.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace strobe {
namespace {

std::vector<double> factors(const char* text, std::size_t n, nanoseconds step = 1ms) {
  Disturbance d(parse_sim(text));
  std::vector<double> xs;
  for (std::size_t i = 0; i < n; ++i) xs.push_back(d.next(static_cast<std::int64_t>(i) * step).device);
  return xs;
}

double mean(const std::vector<double>& xs) {
  double s = 0;
  for (const double x : xs) s += x;
  return s / static_cast<double>(xs.size());
}

TEST(Disturbance, IsExactlyOneWhenNothingIsSet) {
  for (const double f : factors("kernels=1us", 100)) EXPECT_EQ(f, 1.0);
}

TEST(Disturbance, IsTheSameForTheSameSeedAndNotForAnother) {
  EXPECT_EQ(factors("noise=0.05,seed=3", 50), factors("noise=0.05,seed=3", 50));
  EXPECT_NE(factors("noise=0.05,seed=3", 50), factors("noise=0.05,seed=4", 50));
}

TEST(Disturbance, NoiseHasTheStatedSizeAndCorrelation) {
  const auto xs = factors("noise=0.05,ar=0.8", 40000);
  double s = 0, c = 0;
  for (std::size_t i = 1; i < xs.size(); ++i) {
    s += std::log(xs[i]) * std::log(xs[i]);
    c += std::log(xs[i]) * std::log(xs[i - 1]);
  }
  EXPECT_NEAR(std::sqrt(s / 39999), 0.05, 0.002);
  EXPECT_NEAR(c / s, 0.8, 0.02);
}

TEST(Disturbance, WarmUpApproachesOneExponentially) {
  const auto xs = factors("warm=1.5:100", 1000);
  EXPECT_DOUBLE_EQ(xs[0], 1.5);
  EXPECT_NEAR(xs[100], 1 + 0.5 * std::exp(-1), 1e-12);
  EXPECT_NEAR(xs[999], 1, 1e-4);
}

TEST(Disturbance, OutliersBurstsAndModesHaveTheirShare) {
  EXPECT_NEAR(mean(factors("outliers=0.02:5", 50000)), 1 + 0.02 * 4, 0.01);
  EXPECT_NEAR(mean(factors("bursts=1.5:20:0.1", 100000)), 1.05, 0.005);
  EXPECT_NEAR(mean(factors("modes=1.08@0.3:40", 100000)), 1.024, 0.003);
}

TEST(Disturbance, ModesComeInStretchesOfTheirDwell) {
  const auto xs = factors("modes=2@0.3:40", 200000);
  std::size_t stretches = 0, inside = 0;
  for (std::size_t i = 1; i < xs.size(); ++i) {
    stretches += xs[i] == 2 && xs[i - 1] == 1;
    inside += xs[i] == 2;
  }
  EXPECT_NEAR(static_cast<double>(inside) / static_cast<double>(stretches), 40, 3);
}

double lasting(const char* text, std::uint64_t launch, std::uint64_t load = 0) {
  SimParameters p = parse_sim(text);
  p.launch = launch;
  p.load = load;
  return Disturbance(p).next(0ns).host;
}

TEST(Disturbance, ALaunchDrawsOnceForAllItsLoadsAndRequests) {
  SimParameters p = parse_sim("launch_noise=0.01");
  p.launch = 3;
  Disturbance d(p);
  const double first = d.next(0ns).device;
  EXPECT_NE(first, 1);
  EXPECT_EQ(d.next(1s).device, first);
  EXPECT_EQ(lasting("launch_noise=0.01", 3), first);
  EXPECT_EQ(lasting("launch_noise=0.01", 3, 5), first);
  EXPECT_NE(lasting("launch_noise=0.01", 4), first);
  EXPECT_NE(lasting("launch_noise=0.01,seed=2", 3), first);
}

TEST(Disturbance, ALoadDrawsAnewWithinItsLaunch) {
  EXPECT_EQ(lasting("load_noise=0.01", 3, 1), lasting("load_noise=0.01", 3, 1));
  EXPECT_NE(lasting("load_noise=0.01", 3, 1), lasting("load_noise=0.01", 3, 2));
  EXPECT_NE(lasting("load_noise=0.01", 3, 1), lasting("load_noise=0.01", 4, 1));
}

TEST(Disturbance, LaunchesHaveTheStatedSpreadAndLevels) {
  double squares = 0, slow = 0;
  for (std::uint64_t launch = 0; launch < 4000; ++launch) {
    squares += std::pow(std::log(lasting("launch_noise=0.01", launch)), 2);
    slow += lasting("launch_levels=1.036@0.33", launch) > 1;
  }
  EXPECT_NEAR(std::sqrt(squares / 4000), 0.01, 0.0005);
  EXPECT_NEAR(slow / 4000, 0.33, 0.025);
}

TEST(Disturbance, RequestsOfAnotherLaunchSeeOtherNoise) {
  EXPECT_NE(lasting("noise=0.01", 0), lasting("noise=0.01", 1));
  EXPECT_EQ(lasting("noise=0.01", 0), factors("noise=0.01", 1)[0]);
}

TEST(Disturbance, StepsComeAtTheirTimeAndThrottlingSlowsOnlyTheDevice) {
  Disturbance d(parse_sim("shift=1.1@5s,throttle=0.5@6s"));
  EXPECT_DOUBLE_EQ(d.next(4999ms).host, 1);
  EXPECT_DOUBLE_EQ(d.next(5s).host, 1.1);
  const auto f = d.next(6s);
  EXPECT_DOUBLE_EQ(f.host, 1.1);
  EXPECT_DOUBLE_EQ(f.device, 2.2);
  EXPECT_NEAR(Disturbance(parse_sim("drift=0.01")).next(10s).host, 1.1, 1e-12);
}

}  // namespace
}  // namespace strobe
