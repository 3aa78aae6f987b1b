// SPDX-License-Identifier: Apache-2.0
#include "stats/growth.h"

#include <algorithm>
#include <vector>

#include "stats/quantile.h"

namespace strobe::stats {
namespace {

constexpr std::size_t kFewestBlocks = 6;  // that bound a median

}  // namespace

std::optional<Estimate> growth(std::span<const double> levels, Confidence c) {
  const std::size_t steps = levels.empty() ? 0 : levels.size() - 1;
  if (steps < kFewestBlocks) return std::nullopt;
  const std::size_t blocks = std::min(steps, kGrowthBlocks), length = steps / blocks;
  const std::size_t first = steps - blocks * length;
  std::vector<double> rises;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t begin = first + b * length;
    rises.push_back((levels[begin + length] - levels[begin]) / static_cast<double>(length));
  }
  std::sort(rises.begin(), rises.end());
  Estimate e = quantile_interval(rises, 0.5, static_cast<double>(blocks), c);
  e.value = median(rises);
  return e;
}

}  // namespace strobe::stats
