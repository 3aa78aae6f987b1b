// SPDX-License-Identifier: Apache-2.0
#include "device/stream_levels.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include "stats/middle.h"

namespace strobe {
namespace {

constexpr double kMeansApart = 0.05;  // on an H200 6 to 9 %; streams of one level, cut in two, come to 4 %
constexpr double kGap = 0.02;         // on an H200 between 1,508 and 1,542 ns

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::string_view name(StreamLevel level) {
  return level == StreamLevel::fast ? "fast" : level == StreamLevel::slow ? "slow" : "any";
}

StreamLevel StreamLevels::level_of(double pause_ns) const {
  if (!border_ns) return StreamLevel::any;
  return pause_ns > *border_ns ? StreamLevel::slow : StreamLevel::fast;
}

std::size_t StreamLevels::count(StreamLevel level) const {
  return static_cast<std::size_t>(std::count_if(pauses_ns.begin(), pauses_ns.end(), [&](double pause) {
    return level == StreamLevel::any || level_of(pause) == level;
  }));
}

std::optional<double> StreamLevels::pause(StreamLevel level) const {
  std::vector<double> of_level;
  std::copy_if(pauses_ns.begin(), pauses_ns.end(), std::back_inserter(of_level),
               [&](double pause) { return level == StreamLevel::any || level_of(pause) == level; });
  if (of_level.empty()) return std::nullopt;
  return stats::middle_of(std::move(of_level));
}

StreamLevels stream_levels_of(std::vector<double> pauses_ns) {
  StreamLevels levels{.pauses_ns = std::move(pauses_ns), .border_ns = {}};
  std::vector<double> sorted = levels.pauses_ns;
  std::sort(sorted.begin(), sorted.end());
  double furthest = kMeansApart;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const std::span<const double> all(sorted);
    const double apart = mean_of(all.subspan(i)) / mean_of(all.first(i)) - 1;
    if (apart <= furthest || sorted[i] - sorted[i - 1] <= kGap * sorted[i - 1]) continue;
    furthest = apart;
    levels.border_ns = (sorted[i] + sorted[i - 1]) / 2;
  }
  return levels;
}

}  // namespace strobe
