// SPDX-License-Identifier: Apache-2.0
// The device time of one stage of a pipeline by itself, where it may be held back behind a gate.
#pragma once

#include <string>
#include <vector>

#include "measure/conductor.h"
#include "workload/pipeline/pipeline.h"

namespace strobe {

struct StageWork {
  std::vector<double> device_time;  // ns
  std::string why_not;              // it cannot be had, and this is why
  bool tripped = false;             // the gate, when it was submitted behind one
};

// Queued whole before the device may start, `least` times or more. `submit`: what handing it over costs, ungated.
// Proves the gate first.
StageWork stage_device_time(PipelineStage&, nanoseconds submit, std::size_t least, Conductor&,
                            std::size_t& next_request);

// Of one that tripped it, after all stages: a full queue is told from work that waits for itself.
void explain_trip(PipelineStage&, StageWork&, std::size_t& next_request);

}  // namespace strobe
