// SPDX-License-Identifier: Apache-2.0
#include "stats/next_launch.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/synthetic/acceptance.h"

namespace strobe::stats {
namespace {

TEST(NextLaunch, IsPredictedFromTheMedianOfLaunches) {
  const std::vector<double> seen{103, 100, 101, 250, 102};
  EXPECT_DOUBLE_EQ(predict_next_launch(seen).value, 102);
}

TEST(NextLaunch, HasNoIntervalAfterOne) {
  const std::vector<double> one{100};
  EXPECT_FALSE(bounded(predict_next_launch(one)));
}

TEST(NextLaunch, IntervalIsStudentsPrediction) {
  const std::vector<double> seen{std::exp(1.0), std::exp(2.0), std::exp(3.0)};  // mean 2, spread 1
  const Estimate e = predict_next_launch(seen);
  const double half = 4.302653 * std::sqrt(1 + 1.0 / 3);
  EXPECT_NEAR(std::log(*e.low), 2 - half, 1e-5);
  EXPECT_NEAR(std::log(*e.high), 2 + half, 1e-5);
}

TEST(NextLaunch, IntervalHoldsEveryLaunchThatWasSeen) {
  std::vector<double> seen(19, 100);
  seen.push_back(130);
  const Estimate e = predict_next_launch(seen);
  EXPECT_GE(*e.high, 130);
}

TEST(NextLaunch, IntervalIsNeverNarrowerThanItsFloorOrALaunch) {
  const std::vector<double> same(5, 1000);
  EXPECT_NEAR(*predict_next_launch(same).high, 1000 * std::exp(kLaunchFloor), 1e-9);
  EXPECT_NEAR(*predict_next_launch(same, 0.03).low, 1000 * std::exp(-0.03), 1e-9);
  EXPECT_NEAR(*predict_next_launch(same, 0.001).low, 1000 * std::exp(-kLaunchFloor), 1e-9);
}

TEST(NextLaunch, OfWaitsThatMayBeZeroIsPredictedFromZeroOn) {
  const std::vector<double> none(5, 0), some{0, 0, 3, 0, 2};  // mean 1, standard deviation 1.4142
  const Estimate never = predict_next_launch(none), e = predict_next_launch(some, 0.01);
  EXPECT_EQ(never.value, 0);
  EXPECT_EQ(*never.high, 0);
  EXPECT_EQ(relative_spread(none), 0);
  EXPECT_EQ(e.value, 0);
  EXPECT_EQ(*e.low, 0);
  EXPECT_NEAR(*e.high, 1 + 2.776445 * std::sqrt(2) * std::sqrt(1.2), 1e-5);
  EXPECT_NEAR(relative_spread(some), std::sqrt(2), 1e-12);
  EXPECT_TRUE(launch_levels(std::vector<double>{0, 0, 5, 5, 5}).empty());
  EXPECT_FALSE(launch_trend(std::vector<double>{0, 1, 2, 3, 4}));
  EXPECT_FALSE(predict_by_level(std::vector<double>{0, 1, 0, 1}, {false, true, false, true}));
}

TEST(LaunchLevels, AreFoundAsAnH200ShowsThem) {
  const std::vector<double> squeezenet{378.1, 392.2, 379.7, 379.6, 381.0, 392.9};
  const std::vector<LaunchLevel> levels = launch_levels(squeezenet);
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_NEAR(levels[0].value, 379.65, 0.01);
  EXPECT_EQ(levels[0].launches, 4U);
  EXPECT_EQ(levels[1].launches, 2U);
}

TEST(LaunchLevels, AreNotSeenWhereLaunchesScatter) {
  EXPECT_TRUE(launch_levels(std::vector<double>{100, 101, 102.5, 103, 104.5}).empty());
  EXPECT_TRUE(launch_levels(std::vector<double>{100, 100.1, 100.8, 100.9, 100.8}).empty()) << "less than 1 % apart";
  EXPECT_TRUE(launch_levels(std::vector<double>{100, 100.1, 100.2, 100.1, 120}).empty()) << "one launch is no level";
  EXPECT_TRUE(launch_levels({}).empty());
}

TEST(LaunchLevels, OfThreeGroupsAreThree) {
  const auto levels = launch_levels(std::vector<double>{100, 100.1, 110, 110.2, 120, 120.1});
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_EQ(levels[1].launches, 2U);
}

TEST(KnownLevels, HaveStudentsPredictionEachWithTheScatterOfBoth) {
  const std::vector<double> seen{std::exp(0.0), std::exp(1.01), std::exp(0.02), std::exp(1.03), std::exp(0.04)};
  const auto known = predict_by_level(seen, {false, true, false, true, false});
  ASSERT_TRUE(known);
  const double spread = std::sqrt((0.0008 + 0.0002) / 3), t = 3.182446;  // three degrees are left
  EXPECT_NEAR(known->estimate.value, std::exp(0.02), 1e-12);
  EXPECT_NEAR(std::log(*known->estimate.low), 0.02 - t * spread * std::sqrt(1 + 1.0 / 3), 1e-5);
  EXPECT_NEAR(std::log(*known->estimate.high), 1.02 + t * spread * std::sqrt(1 + 1.0 / 2), 1e-5);
  EXPECT_NEAR(known->half_width, std::expm1(t * spread * std::sqrt(1 + 1.0 / 2)), 2e-4);
  EXPECT_EQ(known->firsts, 3U);
}

TEST(KnownLevels, AreNeverKnownBetterThanALaunch) {
  const std::vector<double> seen{100, 110, 100, 110, 100};
  const std::vector<bool> slow{false, true, false, true, false};
  EXPECT_NEAR(*predict_by_level(seen, slow)->estimate.low, 100 * std::exp(-kLaunchFloor), 1e-9);
  EXPECT_NEAR(*predict_by_level(seen, slow, 0.03)->estimate.low, 100 * std::exp(-0.03), 1e-9);
  EXPECT_NEAR(*predict_by_level(seen, slow, 0.03)->estimate.high, 110 * std::exp(0.03), 1e-9);
}

// Nineteen alike and one far below: no prediction reaches as far.
TEST(KnownLevels, HoldEveryLaunchThatWasSeen) {
  std::vector<double> seen{90};
  std::vector<bool> slow{false};
  for (int i = 0; i < 19; ++i) {
    seen.insert(seen.end(), {100.0 + 0.1 * i, 112});
    slow.insert(slow.end(), {false, true});
  }
  const auto known = predict_by_level(seen, slow);
  ASSERT_TRUE(known);
  EXPECT_LE(*known->estimate.low, 90);
  EXPECT_GE(*known->estimate.high, 112);
}

TEST(LaunchTrend, IsTheChangePerLaunch) {
  std::vector<double> heating;
  for (int i = 0; i < 5; ++i) heating.push_back(100 * std::pow(1.01, i) * (i % 2 ? 1.0005 : 1));
  const auto trend = launch_trend(heating);
  ASSERT_TRUE(trend);
  EXPECT_NEAR(*trend, 0.01, 0.001);
  EXPECT_FALSE(launch_trend(std::vector<double>{100, 102, 99, 101, 100}));
  EXPECT_FALSE(launch_trend(std::vector<double>{100, 101, 102})) << "three lie on a line too often";
}

// What one launch reads beside another, as a logarithm: the processes of docs/statistics.md.
struct Between {
  std::string name;
  std::function<double(Random&)> draw;
};

double student_t2(Random& r) {
  const double u = 2 * r.uniform() - 1;
  return u * std::sqrt(2 / (1 - u * u));  // the quantile function of t with two degrees
}

std::function<double(Random&)> normal(double sd) {
  return [sd](Random& r) { return sd * r.normal(); };
}

std::function<double(Random&)> two_levels(double share) {
  return [share](Random& r) { return 0.002 * r.normal() + (r.uniform() < share ? 0.036 : 0); };
}

const std::vector<Between>& between_launches() {
  static const std::vector<Between> all{{"none", normal(0.0002)},
                                        {"normal 0.3 %", normal(0.003)},
                                        {"normal 0.9 %", normal(0.009)},
                                        {"two levels, 1 in 3", two_levels(1.0 / 3)},
                                        {"two levels, 1 in 2", two_levels(1.0 / 2)},
                                        {"two levels, 1 in 8", two_levels(1.0 / 8)},
                                        {"t of 2 degrees, 0.4 %", [](Random& r) { return 0.004 * student_t2(r); }}};
  return all;
}

std::vector<double> draw_launches(const Between& b, std::size_t k, Random& random) {
  std::vector<double> seen;
  for (std::size_t i = 0; i < k; ++i) seen.push_back(std::exp(b.draw(random)));
  return seen;
}

Rate holds_the_next(const Between& b, std::size_t k) {
  Rate inside{.what = b.name + ", " + std::to_string(k) + " launches: the next is inside"};
  Random random(20261116);
  for (int trial = 0; trial < 20'000; ++trial) {
    const Estimate e = predict_next_launch(draw_launches(b, k, random));
    const double next = std::exp(b.draw(random));
    inside.add(*e.low <= next && next <= *e.high);
  }
  return inside;
}

TEST(NextLaunch, IsInsideTheIntervalOfFiveInNineOfTenCasesOrMore) {
  for (const Between& b : between_launches()) expect_between(holds_the_next(b, 5), 90, 100);
}

TEST(NextLaunch, IsInsideTheIntervalOfTenInNineteenOfTwentyCasesOrNearly) {
  for (const Between& b : between_launches()) expect_between(holds_the_next(b, 10), 92, 100);
}

// A run asks for the slow level in launches 2, 4, …, and the next launch may be on either.
struct OnStreams {
  double apart;
  Between scatter;
};

std::vector<OnStreams> on_streams() {
  const auto& scatters = between_launches();
  std::vector<OnStreams> all;
  for (const double apart : {0.035, 0.01, 0.003}) {
    for (const Between& b : {scatters[0], scatters[1], scatters[2], scatters.back()}) all.push_back({apart, b});
  }
  return all;
}

// Alternating, the last one fast.
std::vector<bool> alternating(std::size_t k) {
  std::vector<bool> slow(k);
  for (std::size_t i = 1; i + 1 < k; i += 2) slow[i] = true;
  return slow;
}

struct LevelRates {
  Rate fast, slow;  // the next launch is on that level, and inside
  int unseen = 0;   // a launch of the run itself is outside
};

LevelRates holds_the_next_on_streams(const OnStreams& s, std::size_t k) {
  const std::string what = std::to_string(s.apart * 100).substr(0, 3) + " % apart, " + s.scatter.name + ", " +
                           std::to_string(k) + " launches: the next on a ";
  LevelRates rates{{.what = what + "fast stream"}, {.what = what + "slow stream"}};
  const std::vector<bool> slow = alternating(k);
  Random random(20261119);
  for (int trial = 0; trial < 20'000; ++trial) {
    std::vector<double> seen = draw_launches(s.scatter, k, random);
    for (std::size_t i = 0; i < k; ++i) seen[i] *= slow[i] ? std::exp(s.apart) : 1;
    const auto known = predict_by_level(seen, slow);
    const Estimate e = known ? known->estimate : predict_next_launch(seen);
    const auto inside = [&](double x) { return *e.low <= x && x <= *e.high; };
    rates.unseen += !std::all_of(seen.begin(), seen.end(), inside);
    rates.fast.add(inside(std::exp(s.scatter.draw(random))));
    rates.slow.add(inside(std::exp(s.apart + s.scatter.draw(random))));
  }
  return rates;
}

TEST(KnownLevels, HoldTheNextLaunchOnEitherInNineOfTenCasesOrMore) {
  for (const OnStreams& s : on_streams()) {
    const LevelRates rates = holds_the_next_on_streams(s, 5);
    expect_between(rates.fast, 90, 100);
    expect_between(rates.slow, 90, 100);
    EXPECT_EQ(rates.unseen, 0) << s.apart << ", " << s.scatter.name;
  }
}

TEST(KnownLevels, OfTenLaunchesHoldTheNextInNineteenOfTwentyCasesOrNearly) {
  for (const OnStreams& s : on_streams()) {
    const LevelRates rates = holds_the_next_on_streams(s, 10);
    expect_between(rates.fast, 92, 100);
    expect_between(rates.slow, 92, 100);
    EXPECT_EQ(rates.unseen, 0) << s.apart << ", " << s.scatter.name;
  }
}

// Loads in one process: what a process draws is the same for all of them.
TEST(NextLaunch, OfLoadsIsInsideInTheSameProcessButOftenNotInAnother) {
  constexpr double kOfProcess = 0.009, kOfLoad = 0.003;
  Rate here{.what = "five loads in one process: the next load is inside"},
      elsewhere{.what = "five loads in one process: a load of the next process is outside"};
  Random random(20261118);
  for (int trial = 0; trial < 20'000; ++trial) {
    const double process = kOfProcess * random.normal();
    std::vector<double> loads;
    for (int i = 0; i < 5; ++i) loads.push_back(std::exp(process + kOfLoad * random.normal()));
    const Estimate e = predict_next_launch(loads);
    const auto inside = [&](double log) { return *e.low <= std::exp(log) && std::exp(log) <= *e.high; };
    here.add(inside(process + kOfLoad * random.normal()));
    elsewhere.add(!inside(kOfProcess * random.normal() + kOfLoad * random.normal()));
  }
  expect_between(here, 90, 100);
  expect_between(elsewhere, 30, 70);
}

TEST(LaunchLevels, AreSeldomSeenInANormalScatter) {
  Rate seen{.what = "levels in five launches of a normal scatter of 0.9 %"};
  Random random(7);
  for (int trial = 0; trial < 20'000; ++trial)
    seen.add(!launch_levels(draw_launches(between_launches()[2], 5, random)).empty());
  expect_at_most(seen, 6);
}

TEST(LaunchTrend, IsSeldomSeenWhereThereIsNone) {
  Rate seen{.what = "a trend over five launches of a normal scatter"};
  Random random(7);
  for (int trial = 0; trial < 20'000; ++trial)
    seen.add(launch_trend(draw_launches(between_launches()[2], 5, random)).has_value());
  expect_at_most(seen, 1);
}

}  // namespace
}  // namespace strobe::stats
