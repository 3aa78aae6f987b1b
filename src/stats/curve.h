// SPDX-License-Identifier: Apache-2.0
// The series over time as a record keeps it: at most 2,000 buckets. `low` and `high` are the smallest and largest
// sample of a bucket, so that no spike disappears when the picture is drawn. Short series keep one bucket per sample.
#pragma once

#include <cstddef>
#include <vector>

#include "stats/series.h"

namespace strobe::stats {

struct Bucket {
  double t = 0;  // seconds, of its first sample; the sample's index where times are unknown
  double low = 0;
  double median = 0;
  double high = 0;
  std::size_t n = 0;
};

inline constexpr std::size_t kMostBuckets = 2000;

// Buckets of equal length in time; empty ones are left out.
std::vector<Bucket> curve(const Series& s, std::size_t most = kMostBuckets);

}  // namespace strobe::stats
