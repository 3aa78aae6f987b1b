// SPDX-License-Identifier: Apache-2.0
// From the iterations of the four ways to cases, comparisons and the time line of a record.
#pragma once

#include <strobe/record.h>

#include "measure/pipeline/pipeline_rounds.h"

namespace strobe {

// Why host and device cannot be put on one time line; empty: they can.
std::string timeline_refusal(const PipelineMeasurement&, const Pipeline&);

// One case a way, with what it reads of each stage and how it compares with the undisturbed one.
void add_pipeline_cases(const PipelineMeasurement&, const Pipeline&, Record&);

// `union_time`, and the spans of one iteration whose latency is the median.
void add_timeline(const PipelineMeasurement&, const Pipeline&, Record&);

}  // namespace strobe
