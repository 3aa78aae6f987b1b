// SPDX-License-Identifier: Apache-2.0
// What the figures of a pipeline mean: what marks cost, who is waited for, which resource idles and when, and what
// making a stage faster would gain.
#pragma once

#include <strobe/record.h>

#include "measure/pipeline/pipeline_rounds.h"

namespace strobe {

// Whether marks cost little, from the comparison with marks: `marks`, `marks_cost`, `marks_cost_at_most`.
void answer_marks(Record&);

// Fills `pipeline`, and of the stages that marks read `bound` and `gain`. Needs the record's cases, comparisons and
// time line.
void answer_pipeline(const PipelineMeasurement&, const Pipeline&, Record&);

}  // namespace strobe
