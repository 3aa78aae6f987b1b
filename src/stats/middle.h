// SPDX-License-Identifier: Apache-2.0
// The middle of a handful of readings, without an interval: for calibration and probes, where a figure with its
// uncertainty would be more than is needed. Of an even number the upper of the two.
#pragma once

#include <algorithm>
#include <vector>

namespace strobe::stats {

template <class T>
T middle_of(std::vector<T> xs) {
  const auto middle = xs.begin() + static_cast<std::ptrdiff_t>(xs.size() / 2);
  std::nth_element(xs.begin(), middle, xs.end());
  return *middle;
}

}  // namespace strobe::stats
