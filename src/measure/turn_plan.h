// SPDX-License-Identifier: Apache-2.0
// What a pass does when its turn has come: for how long, after how many requests that only settle, until when.
#pragma once

#include <strobe/measure.h>

#include "measure/launch_length.h"
#include "measure/measurement.h"
#include "measure/segment.h"
#include "measure/time_budget.h"

namespace strobe {

struct LaunchLimits {
  const Options& options;
  const LaunchLength& length;
  const TimeBudget& budget;
};

// `so_far` has been probed, and its passes are chosen.
SegmentPlan plan_turn(const LaunchLimits&, const Measurement& so_far, const PassSamples&);

}  // namespace strobe
