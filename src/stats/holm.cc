// SPDX-License-Identifier: Apache-2.0
#include "stats/holm.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace strobe::stats {

std::vector<bool> holm(std::span<const double> p, double alpha) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return p[i] < p[j]; });
  std::vector<bool> rejected(p.size());
  std::size_t left = p.size();
  for (const std::size_t i : order) {
    if (!(p[i] <= alpha / static_cast<double>(left))) break;
    rejected[i] = true;
    --left;
  }
  return rejected;
}

}  // namespace strobe::stats
