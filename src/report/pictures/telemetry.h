// SPDX-License-Identifier: Apache-2.0
// What was sampled beside a run, as thin strips under a picture that share its time axis.
#pragma once

#include <strobe/record.h>

#include "report/pictures/plot.h"

namespace strobe::page {

// From `top` down; gives where the last strip ends. Nothing was sampled: `top`.
double draw_telemetry(Svg&, const Frame&, const Axis& time, const Telemetry&, double top);

}  // namespace strobe::page
