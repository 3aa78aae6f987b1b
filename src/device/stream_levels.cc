// SPDX-License-Identifier: Apache-2.0
#include "device/stream_levels.h"

#include <algorithm>

#include "stats/middle.h"

namespace strobe {
namespace {

constexpr double kLevelsApart = 0.025;
constexpr double kStandsOut = 2;

bool is_of(double pause, StreamLevel level, std::optional<double> border) {
  if (level == StreamLevel::any) return true;
  return border && (pause > *border) == (level == StreamLevel::slow);
}

}  // namespace

std::string_view name(StreamLevel level) {
  return level == StreamLevel::fast ? "fast" : level == StreamLevel::slow ? "slow" : "any";
}

std::size_t StreamLevels::count(StreamLevel level) const {
  return static_cast<std::size_t>(
      std::count_if(pauses_ns.begin(), pauses_ns.end(), [&](double pause) { return is_of(pause, level, border_ns); }));
}

std::optional<double> StreamLevels::pause(StreamLevel level) const {
  std::vector<double> of_level;
  std::copy_if(pauses_ns.begin(), pauses_ns.end(), std::back_inserter(of_level),
               [&](double pause) { return is_of(pause, level, border_ns); });
  if (of_level.empty()) return std::nullopt;
  return stats::middle_of(std::move(of_level));
}

StreamLevels stream_levels_of(std::vector<double> pauses_ns) {
  StreamLevels levels{.pauses_ns = std::move(pauses_ns), .border_ns = {}};
  std::vector<double> sorted = levels.pauses_ns;
  std::sort(sorted.begin(), sorted.end());
  double widest = 0, next = 0;
  std::size_t at = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double gap = sorted[i] - sorted[i - 1];
    next = std::max(next, std::min(gap, widest));
    if (gap > widest) {
      widest = gap;
      at = i;
    }
  }
  if (at == 0 || widest <= kLevelsApart * sorted[at - 1] || widest <= kStandsOut * next) return levels;
  levels.border_ns = (sorted[at] + sorted[at - 1]) / 2;
  return levels;
}

}  // namespace strobe
