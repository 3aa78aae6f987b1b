// SPDX-License-Identifier: Apache-2.0
// A handful of readings as a metric: estimates and spread, no curve, no percentiles, nothing of rounds. For tables of
// many such metrics.
#pragma once

#include <span>

#include <strobe/record.h>

#include "base/units.h"

namespace strobe {

// `tick`: resolution of the clock in ns. Unknown, with a reason, when there are none.
Metric describe_readings(std::span<const double> ns, double tick);

// The same of times that end at a mark which was placed on the host's time line: it may be off by `uncertainty` on top
// of what they vary, and always in the same direction.
Metric describe_placed(std::span<const double> ns, double tick, nanoseconds uncertainty);

}  // namespace strobe
