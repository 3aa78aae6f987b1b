// SPDX-License-Identifier: Apache-2.0
// How many streams, and requests in flight on each, a search tries: as asked for, or around what the runtime thinks
// best.
#pragma once

#include <cstddef>
#include <vector>

#include "study/search/throughput.h"

namespace strobe {

struct Loads {
  std::vector<std::size_t> streams, in_flight;  // 0: as the runtime thinks best
};

// Before anything is known of the model. Throws Error where only the runtime could know, and does not.
Loads first_loads(const ThroughputPlan&);

// After the first trial, which was made at `first`. On a device without a queue one request is in flight.
void settle_loads(const ThroughputPlan&, const TrialPoint& first, bool asynchronous, Loads&);

}  // namespace strobe
