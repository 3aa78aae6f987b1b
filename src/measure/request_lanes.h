// SPDX-License-Identifier: Apache-2.0
// One typical request as stretches of the host and of the device, for the record.
#pragma once

#include <vector>

#include <strobe/record.h>

#include "measure/union_time.h"

namespace strobe {

// Empty where there is no such request.
std::vector<TimelineSpan> request_lanes(const UnionTimes&);

}  // namespace strobe
