// SPDX-License-Identifier: Apache-2.0
#include "stats/batches.h"

#include <cmath>

#include <gtest/gtest.h>

namespace strobe::stats {
namespace {

// `sizes[i]` samples of round i.
std::vector<std::uint32_t> rounds_of_sizes(const std::vector<std::size_t>& sizes) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < sizes.size(); ++i) out.insert(out.end(), sizes[i], static_cast<std::uint32_t>(i));
  return out;
}

std::vector<std::uint32_t> even_rounds(std::size_t count, std::size_t size) {
  return rounds_of_sizes(std::vector<std::size_t>(count, size));
}

void expect_consecutive(const std::vector<Range>& parts, std::size_t begin, std::size_t end) {
  ASSERT_FALSE(parts.empty());
  EXPECT_EQ(parts.front().begin, begin);
  EXPECT_EQ(parts.back().end, end);
  for (std::size_t i = 1; i < parts.size(); ++i) EXPECT_EQ(parts[i].begin, parts[i - 1].end);
  for (const Range& r : parts) EXPECT_GT(r.size(), 0u);
}

TEST(Batches, CountFollowsTheRuleForSmallSeries) {
  EXPECT_EQ(batch_count(0), 0u);
  EXPECT_EQ(batch_count(3), 3u);
  EXPECT_EQ(batch_count(6), 4u);
  EXPECT_EQ(batch_count(20), 10u);
  EXPECT_EQ(batch_count(49), 10u);
  EXPECT_EQ(batch_count(50), 10u);
  EXPECT_EQ(batch_count(79), 15u);
  EXPECT_EQ(batch_count(80), 16u);
  EXPECT_EQ(batch_count(1000000), 16u);
}

TEST(Batches, ByCountTakeTheLastSamples) {
  const auto parts = equal_batches(103, 16);
  ASSERT_EQ(parts.size(), 16u);
  expect_consecutive(parts, 7, 103);
  for (const Range& r : parts) EXPECT_EQ(r.size(), 6u);
}

TEST(Batches, OfNothingAreNone) {
  EXPECT_TRUE(batches(0).empty());
  EXPECT_TRUE(blocks(0).empty());
  EXPECT_TRUE(equal_batches(3, 0).empty());
  EXPECT_TRUE(rounds({}).empty());
}

TEST(Batches, OfSixteenRoundsOrMoreAreWholeRounds) {
  const auto round = even_rounds(20, 8);
  const auto parts = batches(round.size(), round);
  ASSERT_EQ(parts.size(), 16u);
  expect_consecutive(parts, 0, 160);
  for (const Range& r : parts) EXPECT_TRUE(r.size() == 8 || r.size() == 16) << "one or two whole rounds";
}

TEST(Batches, OfEightToSixteenRoundsAreTheRounds) {
  const auto round = rounds_of_sizes({8, 9, 10, 11, 8, 9, 10, 11, 12});
  EXPECT_EQ(batches(round.size(), round), rounds(round));
  const auto eight = even_rounds(8, 10);
  EXPECT_EQ(batches(eight.size(), eight), rounds(eight));
}

TEST(Batches, OfFewerThanEightRoundsAreTheirHalves) {
  const auto round = rounds_of_sizes({10, 11, 10});
  const auto parts = batches(round.size(), round);
  const std::vector<Range> expected{{0, 5}, {5, 10}, {10, 15}, {15, 21}, {21, 26}, {26, 31}};
  EXPECT_EQ(parts, expected);
}

TEST(Batches, OfASingleRoundAreCutByCount) {
  const auto round = even_rounds(1, 1000);
  EXPECT_EQ(batches(1000, round), equal_batches(1000, 16));
  EXPECT_EQ(batches(1000), equal_batches(1000, 16));
}

TEST(Batches, OfTinyRoundsNeverExceedWhatTheSampleCountAllows) {
  const auto round = even_rounds(30, 1);
  EXPECT_EQ(batches(30, round).size(), batch_count(30));
}

TEST(Batches, IgnoreRoundsOfTheWrongLength) {
  const auto round = even_rounds(20, 8);
  EXPECT_EQ(batches(1000, round), equal_batches(1000, 16));
}

TEST(Blocks, OfOneRoundCoverEverySample) {
  const auto parts = blocks(10099);
  ASSERT_EQ(parts.size(), 100u);
  expect_consecutive(parts, 0, 10099);
}

TEST(Blocks, HaveFiveSamplesAtLeast) {
  EXPECT_EQ(blocks(52).size(), 10u);
  EXPECT_TRUE(blocks(4).empty());
}

TEST(Blocks, OfRoundsHaveEqualNumbersOfThem) {
  for (const std::size_t count : {2u, 99u, 100u, 101u, 150u, 199u, 1000u}) {
    const auto round = even_rounds(count, 9);
    const auto parts = blocks(round.size(), round);
    expect_consecutive(parts, 0, round.size());
    EXPECT_LE(parts.size(), 100u);
    EXPECT_GE(parts.size(), std::min<std::size_t>(count, 50));
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) EXPECT_EQ(parts[i].size(), parts[0].size());
  }
}

TEST(WarmupBlocks, AreTwentyAtLeastWhereSamplesAllow) {
  for (const std::size_t count : {2u, 3u, 7u, 12u, 19u, 20u, 60u}) {
    const auto round = even_rounds(count, 80);
    const auto parts = warmup_blocks(round.size(), round);
    expect_consecutive(parts, 0, round.size());
    EXPECT_GE(parts.size(), kFewestWarmupBlocks) << count;
  }
}

TEST(WarmupBlocks, NeverHaveFewerThanFiveSamples) {
  const auto round = even_rounds(4, 8);
  EXPECT_EQ(warmup_blocks(round.size(), round), rounds(round));
  EXPECT_EQ(warmup_blocks(1000), blocks(1000));
}

TEST(LogMedians, TakeTheMedianOfEachPart) {
  const std::vector<double> x{1, 100, 2, 8, 4, 8};
  const auto z = log_medians(x, even_parts(6, 2));
  ASSERT_EQ(z.size(), 2u);
  EXPECT_DOUBLE_EQ(z[0], std::log(2));
  EXPECT_DOUBLE_EQ(z[1], std::log(8));
}

TEST(LogMedians, OfACoarseClocksZerosAreFinite) {
  const std::vector<double> x(10, 0.0);
  EXPECT_TRUE(std::isfinite(log_medians(x, even_parts(10, 1))[0]));
  EXPECT_DOUBLE_EQ(log_medians(x, even_parts(10, 1), 0.5)[0], std::log(0.5));
}

}  // namespace
}  // namespace strobe::stats
