// SPDX-License-Identifier: Apache-2.0
#include "stats/curve.h"

#include <algorithm>

#include "stats/batches.h"
#include "stats/quantile.h"

namespace strobe::stats {
namespace {

std::vector<Range> time_buckets(std::span<const double> at, std::size_t most) {
  const double length = (at.back() - at.front()) / static_cast<double>(most);
  std::vector<Range> out;
  for (std::size_t i = 0, bucket = 0; i < at.size(); ++i) {
    const auto own = std::min(most - 1, static_cast<std::size_t>((at[i] - at.front()) / length));
    if (out.empty() || own > bucket) out.push_back({i, i});
    bucket = std::max(bucket, own);
    out.back().end = i + 1;
  }
  return out;
}

}  // namespace

std::vector<Bucket> curve(const Series& s, std::size_t most) {
  const std::size_t n = s.values.size();
  std::vector<Bucket> out;
  if (n == 0 || most == 0) return out;
  const bool timed = s.at_seconds.size() == n;
  const bool by_time = timed && n > most && s.at_seconds.back() > s.at_seconds.front();
  std::vector<double> scratch;
  for (const Range& r : by_time ? time_buckets(s.at_seconds, most) : even_parts(n, most)) {
    const auto samples = s.values.subspan(r.begin, r.size());
    const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
    scratch.assign(samples.begin(), samples.end());
    out.push_back({.t = timed ? s.at_seconds[r.begin] : static_cast<double>(r.begin),
                   .low = *low,
                   .median = select_median(scratch),
                   .high = *high,
                   .n = r.size()});
  }
  return out;
}

}  // namespace strobe::stats
