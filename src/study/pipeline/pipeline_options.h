// SPDX-License-Identifier: Apache-2.0
// How a worker is told which pipeline to time, and how: the plan, and the options that were given.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "study/pipeline/pipeline.h"

namespace strobe {

// One launch of several.
nlohmann::json worker_options(const PipelineStudy&);

// The worker's end. Throws Error (usage) for an option or a task that there is not.
PipelineStudy pipeline_options(const nlohmann::json&);

}  // namespace strobe
