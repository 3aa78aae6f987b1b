// SPDX-License-Identifier: Apache-2.0
#include "stats/series.h"

#include <algorithm>

namespace strobe::stats {

Series from(const Series& s, std::size_t first) {
  const auto tail = [first](auto span) { return span.subspan(std::min(first, span.size())); };
  return {.values = tail(s.values), .round = tail(s.round), .at_seconds = tail(s.at_seconds), .tick = s.tick};
}

double relative_tick(const Series& s, double level) {
  return level > 0 ? std::max(s.tick, 0.0) / level : 0;
}

}  // namespace strobe::stats
