// SPDX-License-Identifier: Apache-2.0
// How a worker is told to look at memory.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "study/memory/memory.h"

namespace strobe {

nlohmann::json worker_options(const MemoryPlan&);
MemoryPlan memory_options(const nlohmann::json&);

}  // namespace strobe
