// SPDX-License-Identifier: Apache-2.0
#include "measure/series.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

// One sample a microsecond: requests at 0, 1, 2 … µs, done after 400 ns.
Trace four_samples() {
  Trace trace(4);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    trace[i].begin = static_cast<std::int64_t>(i) * 1us;
    trace[i].submitted = trace[i].begin + 100ns;
    trace[i].done = trace[i].begin + 400ns;
    trace[i].device = 300ns;
  }
  return trace;
}

TEST(SeriesOf, GivesTheTimeOfOneRequestWhereASampleHasSeveral) {
  Trace trace = four_samples();
  for (Sample& s : trace) s.requests = 4;
  EXPECT_EQ(series_of(trace, Column::latency, 0ns, 1).values[0], 100);
  EXPECT_EQ(series_of(trace, Column::submit, 0ns, 1).values[0], 25);
  EXPECT_EQ(series_of(trace, Column::device, 0ns, 1).values[0], 75);
}

TEST(SeriesOf, BeginsWithTheSampleAtTheCut) {
  EXPECT_EQ(series_of(four_samples(), Column::latency, 1us, 1).values.size(), 3u);
  EXPECT_EQ(series_of(four_samples(), Column::latency, 1us + 1ns, 1).values.size(), 2u);
}

TEST(SeriesOf, LeavesOutWhatIsNotKept) {
  Trace trace = four_samples();
  trace[0].state = SampleState::settling;
  trace[1].state = SampleState::resumed;
  trace[2].state = SampleState::voided;
  EXPECT_EQ(series_of(trace, Column::latency, 0ns, 1).values.size(), 1u);
}

TEST(WholeSeries, LeavesOutOnlyVoidedSamples) {
  Trace trace = four_samples();
  trace[0].state = SampleState::settling;
  trace[1].state = SampleState::resumed;
  trace[2].state = SampleState::voided;
  EXPECT_EQ(whole_series(trace, Column::latency, 1).values.size(), 3u);
}

}  // namespace
}  // namespace strobe
