// SPDX-License-Identifier: Apache-2.0
#include "study/search/bound_search.h"

#include <algorithm>

namespace strobe {

std::int64_t search_bounded(const std::function<bool(std::int64_t)>& seems_kept, std::int64_t start,
                            std::int64_t smallest) {
  constexpr std::int64_t kLargestTried = std::int64_t{1} << 24;
  constexpr int kBisections = 4;
  std::int64_t last = 0, fails = 0;
  for (std::int64_t b = std::max(start, smallest); fails == 0 && b <= kLargestTried; b *= 2)
    (seems_kept(b) ? last : fails) = b;
  while (last == 0 && fails / 2 >= smallest) {
    const std::int64_t half = fails / 2;
    (seems_kept(half) ? last : fails) = half;
  }
  for (int i = 0; i < kBisections && last > 0 && fails > last + 1; ++i) {
    const std::int64_t middle = (last + fails) / 2;
    (seems_kept(middle) ? last : fails) = middle;
  }
  return last;
}

std::vector<BoundedPoint> confirmation_order(std::vector<BoundedPoint> points) {
  std::stable_sort(points.begin(), points.end(),
                   [](const BoundedPoint& a, const BoundedPoint& b) { return a.rate > b.rate; });
  std::size_t unproven = 0;
  std::erase_if(points, [&](const BoundedPoint& p) { return !p.proven && ++unproven > kUnprovenTried; });
  return points;
}

}  // namespace strobe
