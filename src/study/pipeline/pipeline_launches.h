// SPDX-License-Identifier: Apache-2.0
// `strobe pipeline` in several fresh processes, which share the rounds, and what the next one will read.
#pragma once

#include <strobe/record.h>

#include "study/pipeline/pipeline.h"

namespace strobe {

// Eight, or as many as the user says and the time allows. A single one is made in this process.
Record pipeline_launches(const PipelineStudy&);

}  // namespace strobe
