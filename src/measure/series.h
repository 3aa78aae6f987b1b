// SPDX-License-Identifier: Apache-2.0
// Samples as the statistics take them: one column of values with round and time, without what is not used.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/sample.h"
#include "stats/series.h"

namespace strobe {

enum class Column { latency, submit, device };

struct SeriesData {
  std::vector<double> values, at_seconds;  // ns per request; seconds since the run began
  std::vector<std::uint32_t> round;
  double tick = 1;

  stats::Series view() const { return {values, round, at_seconds, tick}; }
};

// Kept samples that begin at `from` or later; at most `most` of them.
SeriesData series_of(const Samples&, Column, nanoseconds from, double tick, std::size_t most = SIZE_MAX);
// Everything from request 0 but voided samples: for the curve over time.
SeriesData whole_series(const Samples&, Column, double tick);

}  // namespace strobe
