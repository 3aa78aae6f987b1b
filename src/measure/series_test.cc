// SPDX-License-Identifier: Apache-2.0
#include "measure/series.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

// One sample a microsecond: requests at 0, 1, 2 … µs, done after 400 ns.
Samples four_samples() {
  Samples samples(4);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].begin = static_cast<std::int64_t>(i) * 1us;
    samples[i].submitted = samples[i].begin + 100ns;
    samples[i].done = samples[i].begin + 400ns;
    samples[i].device = 300ns;
  }
  return samples;
}

TEST(SeriesOf, GivesTheTimeOfOneRequestWhereASampleHasSeveral) {
  Samples samples = four_samples();
  for (Sample& s : samples) s.requests = 4;
  EXPECT_EQ(series_of(samples, Column::latency, 0ns, 1).values[0], 100);
  EXPECT_EQ(series_of(samples, Column::submit, 0ns, 1).values[0], 25);
  EXPECT_EQ(series_of(samples, Column::device, 0ns, 1).values[0], 75);
}

TEST(SeriesOf, BeginsWithTheSampleAtTheCut) {
  EXPECT_EQ(series_of(four_samples(), Column::latency, 1us, 1).values.size(), 3u);
  EXPECT_EQ(series_of(four_samples(), Column::latency, 1us + 1ns, 1).values.size(), 2u);
}

TEST(SeriesOf, LeavesOutWhatIsNotKept) {
  Samples samples = four_samples();
  samples[0].state = SampleState::settling;
  samples[1].state = SampleState::settling;
  samples[2].state = SampleState::voided;
  EXPECT_EQ(series_of(samples, Column::latency, 0ns, 1).values.size(), 1u);
}

TEST(WholeSeries, LeavesOutOnlyVoidedSamples) {
  Samples samples = four_samples();
  samples[0].state = SampleState::settling;
  samples[1].state = SampleState::settling;
  samples[2].state = SampleState::voided;
  EXPECT_EQ(whole_series(samples, Column::latency, 1).values.size(), 3u);
}

}  // namespace
}  // namespace strobe
