// SPDX-License-Identifier: Apache-2.0
// Do inputs that a model has not seen before take longer than those it has? A workload that remembers its answers skips
// the work of known inputs. Asked only where different inputs gave equal outputs.
#pragma once

#include <optional>

#include <strobe/workload.h>

#include "measure/conductor.h"

namespace strobe {

// How many input sets the question needs: two that become known, and the rest new.
constexpr std::size_t kNewInputSets = 10;

// Time of a request with a new input set over one with a known set, the middle of the pairs. `workload` must not have
// run yet. Nothing where it has fewer than four input sets, or when stopped.
std::optional<double> new_input_ratio(Workload& workload, Conductor&);

}  // namespace strobe
