// SPDX-License-Identifier: Apache-2.0
// `strobe pipeline`: stages (models, work on the host, copies) timed without slowing the pipeline, by three methods, on
// a device with a queue by four, and by none; what each stage costs, what is waited for, what making it faster would
// gain.
#pragma once

#include <functional>
#include <string>

#include <strobe/record.h>

#include "measure/pipeline/pipeline_rounds.h"
#include "workload/pipeline/pipeline_plan.h"

namespace strobe {

struct PipelineStudy {
  PipelinePlan plan;
  std::string file;                             // as typed
  std::string sha256 = {};                      // of it, when it was read; empty: it can be read once only
  PipelineOptions how = {};                     // its name and device are the plan's
  std::function<void(const std::string&)> log;  // the runtimes' own warnings
  Salvage* salvage = nullptr;                   // where another thread finds the turns so far while a stage is stuck
};

// Once, in this process.
Record study_pipeline(const PipelineStudy&);

}  // namespace strobe
