// SPDX-License-Identifier: Apache-2.0
// The plan of a pipeline on its way to a worker and back. Its user wrote a file; that is read once, by the program
// alone, so that all launches run the same.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "workload/pipeline/pipeline_plan.h"

namespace strobe {

nlohmann::json plan_json(const PipelinePlan&);

// Throws Error (usage) for a task that there is not.
PipelinePlan plan_of(const nlohmann::json&);

}  // namespace strobe
