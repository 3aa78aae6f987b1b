// SPDX-License-Identifier: Apache-2.0
// A pipeline from a YAML file (docs/pipeline.md). Reads and checks; opens nothing.
#pragma once

#include <string>

#include "workload/pipeline/pipeline_plan.h"

namespace strobe::cli {

// `file` is what complaints call it; relative paths in it start from its folder.
PipelinePlan parse_pipeline(const std::string& text, const std::string& file);

PipelinePlan read_pipeline(const std::string& file);

}  // namespace strobe::cli
