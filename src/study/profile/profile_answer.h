// SPDX-License-Identifier: Apache-2.0
// From requests under a profiler to what one launch says of them.
#pragma once

#include <strobe/record.h>

#include "measure/profile_requests.h"

namespace strobe {

// Fills the answer, the metrics (latency, busy), the time line of a typical request, and the start-up. `tick`: of the
// device's clock, in ns.
void describe_profile(const ProfiledRequests&, double tick, Record&);

}  // namespace strobe
