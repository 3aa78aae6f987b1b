// SPDX-License-Identifier: Apache-2.0
// How a series is cut into consecutive parts. Batches (at most 16) carry the intervals and the drift test; blocks (at
// most 100) carry warm-up and level shifts. Where several passes take turns, parts are whole rounds: a part shorter
// than its segment would see the switching itself (21 % false level shifts; docs/statistics.md). Parts may differ in
// size, and every user weighs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace strobe::stats {

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
  bool operator==(const Range&) const = default;
};

inline constexpr std::size_t kBatches = 16;
inline constexpr std::size_t kBlocks = 100;
inline constexpr std::size_t kFewestWarmupBlocks = 20;

// 16 from 80 samples on; fewer below, never under 5 samples a batch once there are 50, never more batches than samples.
std::size_t batch_count(std::size_t n);

// `count` parts of floor(n / count) samples, the last ones: the remainder is left out at the front.
std::vector<Range> equal_batches(std::size_t n, std::size_t count);

// `count` parts that cover all n samples; sizes differ by at most one.
std::vector<Range> even_parts(std::size_t n, std::size_t count);

// `count` groups of consecutive parts, as equal in number of parts as possible.
std::vector<Range> grouped(std::span<const Range> parts, std::size_t count);

// Each part in `pieces` of nearly equal size.
std::vector<Range> split_each(std::span<const Range> parts, std::size_t pieces);

// One range per round.
std::vector<Range> rounds(std::span<const std::uint32_t> round);

// Batches of a series: 16 groups of whole rounds; with fewer rounds one batch each; below 8 rounds each round in two
// halves; a single round (or none given, or too few samples for the rule) is cut by count.
std::vector<Range> batches(std::size_t n, std::span<const std::uint32_t> round = {});

// Blocks of a series: equal numbers of whole rounds, the last block takes the remainder; a single round is cut by
// count, 5 samples a block at least.
std::vector<Range> blocks(std::size_t n, std::span<const std::uint32_t> round = {});

// The same for finding the end of the warm-up, where 20 blocks are the least that can be judged: fewer rounds are cut
// into equal pieces of at least 5 samples. In a 5 s window of four passes whole rounds leave 0.5 to 0.9 % of bias,
// pieces 0.01 to 0.13 %. Not for level shifts: pieces of one segment resemble each other more than those of the next.
std::vector<Range> warmup_blocks(std::size_t n, std::span<const std::uint32_t> round = {});

// ln(median) of each part. Values below `floor` count as `floor`, so that a coarse clock's zeros have a logarithm.
std::vector<double> log_medians(std::span<const double> values, std::span<const Range> parts, double floor = 0);

}  // namespace strobe::stats
