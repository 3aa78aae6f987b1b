// SPDX-License-Identifier: Apache-2.0
// Items per second from completions of a full queue. The first completion of a segment only starts its clock, so k
// completions are k - 1 periods; the estimate is a ratio of sums, never a mean of rates, and `period` is its inverse,
// never a median of spacings. The interval comes from whole segments, because spacings within one depend on each other.
#pragma once

#include <cstddef>
#include <span>

#include "stats/estimate.h"

namespace strobe::stats {

struct Segment {
  std::size_t completed =
      0;             // after the first queue-depth completions were dropped: those ran in a queue still filling
  double first = 0;  // seconds, of the first completion kept
  double last = 0;   // seconds, of the last
};

struct Throughput {
  Estimate items_per_second = {};
  Estimate period = {};      // seconds per request
  std::size_t segments = 0;  // that were used
};

inline constexpr std::size_t kFewestCompletions = 10;

// Segments with fewer than `fewest` completions are left out: the ends weigh too much. Fewer than 4 segments: no
// interval.
Throughput throughput(std::span<const Segment> segments, std::size_t batch, Confidence c = {},
                      std::size_t fewest = kFewestCompletions);

}  // namespace strobe::stats
