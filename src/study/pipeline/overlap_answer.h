// SPDX-License-Identifier: Apache-2.0
// What iterations in flight say: how many a second, against one at a time, what is busy then, and what bounds it.
#pragma once

#include <strobe/record.h>

#include "measure/pipeline/pipeline_rounds.h"

namespace strobe {

// Two cases, `period` and `throughput` of the record, and the comparison of the two. Nothing where none overlapped.
void add_overlap_cases(const PipelineMeasurement&, std::size_t in_flight, Record&);

// Fills `pipeline.overlap`. Needs the record's cases.
void answer_overlap(const PipelineMeasurement&, const Pipeline&, std::size_t in_flight, Record&);

}  // namespace strobe
