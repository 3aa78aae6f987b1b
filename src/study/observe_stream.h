// SPDX-License-Identifier: Apache-2.0
// On which of the device's streams the work ran, and what levels they have (device/stream_levels.h).
#pragma once

#include <strobe/record.h>
#include <strobe/workload.h>

namespace strobe {

// Outside everything that is timed: it probes streams of the device's. Nothing where they cannot be probed.
void observe_stream(Workload&, Record&);

}  // namespace strobe
