// SPDX-License-Identifier: Apache-2.0
// Limits of several quantiles of one series that do not contradict each other. Each quantile has its own effective
// size: where slow modes leave the median few independent samples and the tail many, the median's ranks reach to the
// maximum, and its upper limit lay beyond p90's. But what limits p90 from above limits the median, too, and what limits
// the median from below limits p90. docs/statistics.md has what that does to coverage: nothing.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

namespace strobe::stats {

// `by_level` in ascending order of level, each with a value and optional `low` and `high`. Afterwards lower and upper
// limits rise with the level; a side stays unbounded only where no neighbour limits it.
template <class E>
void make_limits_agree(std::span<E* const> by_level) {
  std::optional<double> low;
  for (E* e : by_level) {
    if (low) e->low = e->low ? std::max(*e->low, *low) : *low;
    low = e->low;
  }
  std::optional<double> high;
  for (auto e = by_level.rbegin(); e != by_level.rend(); ++e) {
    if (high) (*e)->high = (*e)->high ? std::min(*(*e)->high, *high) : *high;
    high = (*e)->high;
  }
}

}  // namespace strobe::stats
