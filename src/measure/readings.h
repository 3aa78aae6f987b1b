// A handful of readings as a metric: estimates and spread, no curve, no percentiles, nothing of rounds. For tables of
// many such metrics.
#pragma once

#include <span>

#include <strobe/record.h>

namespace strobe {

// `tick`: resolution of the clock in ns. Unknown, with a reason, when there are none.
Metric describe_readings(std::span<const double> ns, double tick);

}  // namespace strobe
