// SPDX-License-Identifier: Apache-2.0
// One pass and nothing beside it, for a profiler that watches this process: what it sees in its window are the requests
// that count. There is no gate, no telemetry, no look at outputs, and no calibration, all of which would be in its
// picture; so what is measured here is no result.
#pragma once

#include <strobe/measure.h>
#include <strobe/workload.h>

#include "measure/measurement.h"

namespace strobe {

inline constexpr std::size_t kRequestsOfOnePass = 50;  // few: files of profilers grow with each

// `Options::pass` names it; `requests` and `warmup` say how many, `graph` that a captured graph is replayed. Throws
// Error where the device has no such pass.
Measurement measure_one_pass(Workload&, const Options&, const PinRule& = {});

}  // namespace strobe
