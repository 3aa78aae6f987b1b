// SPDX-License-Identifier: Apache-2.0
#include "stats/launch_parts.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/next_launch.h"
#include "stats/quantile.h"

namespace strobe::stats {
namespace {

double square(const std::optional<double>& x) {
  return x.value_or(0) * x.value_or(0);
}

TEST(LaunchParts, AddUpToWhatLaunchesAreSeenToVary) {
  const std::vector<WithinLaunch> launches(5, {0.003, 0.005});
  const LaunchParts p = launch_parts(launches, 0.013);
  EXPECT_DOUBLE_EQ(*p.requests, 0.003);
  EXPECT_DOUBLE_EQ(*p.rounds, 0.004);
  EXPECT_DOUBLE_EQ(p.launches, 0.012);
}

TEST(LaunchParts, AreNeverLessThanNothing) {
  const std::vector<WithinLaunch> launches(5, {0.005, 0.004});
  const LaunchParts p = launch_parts(launches, 0.002);
  EXPECT_EQ(*p.requests, 0.005);
  EXPECT_EQ(*p.rounds, 0);
  EXPECT_EQ(p.launches, 0);
}

TEST(LaunchParts, OfARateHaveNoRequestsAndOfTwoRoundsNoRounds) {
  const std::vector<WithinLaunch> rates(3, {std::nullopt, 0.003}), short_ones(3, {0.003, std::nullopt});
  EXPECT_FALSE(launch_parts(rates, 0.005).requests);
  EXPECT_DOUBLE_EQ(*launch_parts(rates, 0.005).rounds, 0.003);
  EXPECT_FALSE(launch_parts(short_ones, 0.005).rounds);
  EXPECT_DOUBLE_EQ(launch_parts(short_ones, 0.005).launches, 0.004);
  const std::vector<WithinLaunch> mixed{{0.003, 0.004}, {0.003, std::nullopt}};
  EXPECT_FALSE(launch_parts(mixed, 0.005).rounds) << "unknown of one of them";
  EXPECT_DOUBLE_EQ(launch_parts({}, 0.005).launches, 0.005);
}

// True standard deviations of one request, round and launch.
struct Truth {
  double request = 0, round = 0, launch = 0;
};

constexpr std::size_t kLaunches = 10, kRounds = 15, kRequests = 21;

double deviation_of(const std::vector<double>& xs) {
  double mean = 0, squares = 0;
  for (const double x : xs) mean += x / static_cast<double>(xs.size());
  for (const double x : xs) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / static_cast<double>(xs.size() - 1));
}

LaunchParts parts_of_study(const Truth& t, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> numbers;
  std::vector<WithinLaunch> within;
  for (std::size_t l = 0; l < kLaunches; ++l) {
    const double launch = t.launch * random.normal();
    std::vector<double> medians;
    double request_spread = 0;
    for (std::size_t k = 0; k < kRounds; ++k) {
      const double round = t.round * random.normal();
      std::vector<double> requests;
      for (std::size_t i = 0; i < kRequests; ++i) requests.push_back(1 + launch + round + t.request * random.normal());
      request_spread += deviation_of(requests) / kRounds;
      medians.push_back(median_of(requests));
    }
    numbers.push_back(median_of(medians));
    within.push_back({error_of_median(error_of_median(request_spread, kRequests), kRounds),
                      error_of_median(deviation_of(medians), kRounds)});
  }
  return launch_parts(within, relative_spread(numbers));
}

// The mean of the variances over many studies, as standard deviations.
LaunchParts typical(const Truth& t) {
  constexpr int kStudies = 400;
  double requests = 0, rounds = 0, launches = 0;
  for (int i = 0; i < kStudies; ++i) {
    const LaunchParts p = parts_of_study(t, seed_of(7, static_cast<std::uint64_t>(i)));
    requests += square(p.requests) / kStudies;
    rounds += square(p.rounds) / kStudies;
    launches += p.launches * p.launches / kStudies;
  }
  return {std::sqrt(requests), std::sqrt(rounds), std::sqrt(launches)};
}

TEST(LaunchParts, AreThoseThatASimulationWasMadeOf) {
  const double of_rounds = std::sqrt(std::acos(0.0) / kRounds),
               of_requests = std::acos(0.0) / std::sqrt(kRounds * kRequests);
  const LaunchParts launches = typical({.request = 0.02, .round = 0.004, .launch = 0.01});
  EXPECT_NEAR(launches.launches, 0.01, 0.0005);
  EXPECT_NEAR(*launches.rounds, 0.004 * of_rounds, 0.0003);
  EXPECT_NEAR(*launches.requests, 0.02 * of_requests, 0.0001);
  const LaunchParts rounds = typical({.request = 0.02, .round = 0.03, .launch = 0});
  EXPECT_NEAR(*rounds.rounds, 0.03 * of_rounds, 0.0007);
  EXPECT_LT(rounds.launches, 0.55 * *rounds.rounds) << "what chance leaves of nothing";
}

}  // namespace
}  // namespace strobe::stats
