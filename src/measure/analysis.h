// SPDX-License-Identifier: Apache-2.0
// From samples to figures: every metric of a measurement with its estimates, and what the record says about the run.
#pragma once

#include <strobe/record.h>

#include "measure/measurement.h"
#include "stats/estimate.h"

namespace strobe {

// Fills metrics, startup, window, status and observations.
void analyse(const Measurement&, const Options&, Record&);

Estimate from_stats(const stats::Estimate&);

// Everything that a steady series tells; the curve is the caller's.
Metric describe_series(const SeriesData&, const Options&);

// Those asked for, or 90 and 99.
std::vector<double> reported_percentiles(const Options&);

// A series of somebody else's: its warm-up is found and left out, its clock's tick guessed, and at least the one that
// is given. Nothing is known of rounds.
Metric describe_foreign(SeriesData all);

}  // namespace strobe
