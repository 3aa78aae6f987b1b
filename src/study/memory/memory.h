// SPDX-License-Identifier: Apache-2.0
// `strobe memory`: what memory goes to. A launch either reads totals, which cost nothing, or records allocations, which
// takes memory itself; never both.
#pragma once

#include <strobe/record.h>
#include <strobe/study.h>

#include "workload/open_model.h"

namespace strobe {

struct MemoryPlan {
  OpenOptions open;
  MemoryOptions how;
  bool recorded = false;  // this launch
};

// One launch, in this process.
Record memory_launch(const MemoryPlan&);

// Those that are weighed, then the one that records.
Record memory_launches(const MemoryPlan&);

}  // namespace strobe
