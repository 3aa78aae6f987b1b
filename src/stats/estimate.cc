// SPDX-License-Identifier: Apache-2.0
#include "stats/estimate.h"

#include <algorithm>

namespace strobe::stats {

double tail(Confidence c) {
  return std::clamp((1 - c.level) / 2, 1e-9, 0.49);
}

bool bounded(const Estimate& e) {
  return e.low && e.high;
}

std::optional<double> relative_half_width(const Estimate& e, double tick) {
  if (!bounded(e) || !(e.value > 0)) return std::nullopt;
  return std::max(*e.high - *e.low, tick) / (2 * e.value);
}

}  // namespace strobe::stats
