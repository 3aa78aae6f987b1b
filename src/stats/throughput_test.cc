// SPDX-License-Identifier: Apache-2.0
#include "stats/throughput.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace strobe::stats {
namespace {

std::vector<Segment> steady(std::size_t count, std::size_t completed, double period) {
  std::vector<Segment> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({.completed = completed,
                   .first = 10.0 * static_cast<double>(i),
                   .last = 10.0 * static_cast<double>(i) + period * static_cast<double>(completed - 1)});
  return out;
}

TEST(Throughput, CountsPeriodsNotCompletions) {
  const Throughput t = throughput(steady(16, 11, 0.01), 8);
  EXPECT_NEAR(t.items_per_second.value, 800, 1e-9);
  EXPECT_NEAR(t.period.value, 0.01, 1e-15);
  EXPECT_NEAR(*t.items_per_second.low, 800, 1e-6);
  EXPECT_NEAR(*t.items_per_second.high, 800, 1e-6);
}

TEST(Throughput, IsARatioOfSums) {
  // 90 periods of 10 ms and 10 of 20 ms: 100 periods in 1.1 s, whatever the mean of the two rates.
  const std::vector<Segment> s{{.completed = 91, .first = 0, .last = 0.9}, {.completed = 11, .first = 2, .last = 2.2}};
  EXPECT_NEAR(throughput(s, 1).items_per_second.value, 100 / 1.1, 1e-9);
}

TEST(Throughput, LeavesShortSegmentsOut) {
  std::vector<Segment> s = steady(4, 11, 0.01);
  s.push_back({.completed = 9, .first = 100, .last = 200});
  EXPECT_EQ(throughput(s, 1).segments, 4u);
  EXPECT_NEAR(throughput(s, 1).period.value, 0.01, 1e-15);
}

TEST(Throughput, OfNothingIsZeroWithoutAnInterval) {
  const Throughput t = throughput({}, 1);
  EXPECT_EQ(t.items_per_second.value, 0);
  EXPECT_FALSE(bounded(t.items_per_second) || bounded(t.period));
  EXPECT_EQ(throughput(std::vector<Segment>{{.completed = 20, .first = 1, .last = 1}}, 1).segments, 0u);
}

TEST(Throughput, HasNoIntervalBelowFourSegments) {
  EXPECT_FALSE(bounded(throughput(steady(3, 11, 0.01), 1).items_per_second));
  EXPECT_TRUE(bounded(throughput(steady(4, 11, 0.01), 1).items_per_second));
}

TEST(Throughput, IsUnboundedAboveWhenThePeriodsIntervalReachesZero) {
  const std::vector<Segment> s{{.completed = 10, .first = 0, .last = 0.001},
                               {.completed = 10, .first = 1, .last = 1.001},
                               {.completed = 10, .first = 2, .last = 2.001},
                               {.completed = 10, .first = 3, .last = 9}};
  const Throughput t = throughput(s, 1);
  EXPECT_TRUE(t.items_per_second.low);
  EXPECT_FALSE(t.items_per_second.high);
}

// Segments of unequal length whose level wanders from one to the next.
std::vector<Segment> wandering(std::uint64_t seed) {
  Random random(seed);
  std::vector<Segment> out;
  double level = 0.03 * random.normal();
  for (int i = 0; i < 64; ++i) {
    level = 0.3 * level + 0.03 * 0.954 * random.normal();
    const std::size_t periods = 50 + 50 * random.below(2);
    out.push_back({.completed = periods + 1, .first = 0, .last = 0.001 * (1 + level) * static_cast<double>(periods)});
  }
  return out;
}

TEST(Throughput, IntervalCoversTheTruthWhenSegmentsDependOnEachOther) {
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Throughput t = throughput(wandering(seed), 1);
    covered += *t.items_per_second.low <= 1000 && 1000 <= *t.items_per_second.high;
  }
  EXPECT_GE(covered, 920);
  EXPECT_LE(covered, 985);
}

}  // namespace
}  // namespace strobe::stats
