// SPDX-License-Identifier: Apache-2.0
#include "measure/series.h"

namespace strobe {
namespace {

double value_of(const Sample& s, Column column) {
  const nanoseconds t =
      column == Column::device ? s.device : (column == Column::submit ? s.submitted : s.done) - s.begin;
  return to_double(t) / s.requests;
}

template <class Wanted>
SeriesData collect(const Samples& samples, Column column, double tick, std::size_t most, Wanted&& wanted) {
  SeriesData data;
  data.tick = tick;
  data.values.reserve(samples.size());
  data.at_seconds.reserve(samples.size());
  data.round.reserve(samples.size());
  for (const Sample& s : samples) {
    if (!wanted(s)) continue;
    if (data.values.size() == most) break;
    data.values.push_back(value_of(s, column));
    data.at_seconds.push_back(to_seconds(s.begin));
    data.round.push_back(s.round);
  }
  return data;
}

}  // namespace

SeriesData series_of(const Samples& samples, Column column, nanoseconds from, double tick, std::size_t most) {
  return collect(samples, column, tick, most,
                 [&](const Sample& s) { return s.state == SampleState::kept && s.begin >= from; });
}

SeriesData whole_series(const Samples& samples, Column column, double tick) {
  return collect(samples, column, tick, SIZE_MAX, [](const Sample& s) { return s.state != SampleState::voided; });
}

}  // namespace strobe
