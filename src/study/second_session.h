// SPDX-License-Identifier: Apache-2.0
// What only a second session of the same model can tell, after everything that is timed: what the values of the inputs
// do to the latency, and whether inputs that were seen before are answered from memory.
#pragma once

#include <strobe/record.h>

#include "measure/conductor.h"
#include "workload/open_model.h"

namespace strobe {

// Inputs that all come from files, or are mostly zeros or odd, may make the figure: measured, not supposed. Reads the
// record's findings.
void try_other_inputs(OpenedModel&, Conductor&, Record&);

// Different inputs that gave equal outputs: was the work skipped? Needs the record's observation of the outputs.
void try_new_inputs(OpenedModel&, Conductor&, Record&);

}  // namespace strobe
