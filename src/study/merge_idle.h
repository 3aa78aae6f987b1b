// SPDX-License-Identifier: Apache-2.0
// What several launches found after the same pauses, as one result for each pause.
#pragma once

#include <vector>

#include <strobe/record.h>

namespace strobe {

// Times as merge_metrics makes them; of everything else the median launch. The pauses are those of the first.
std::vector<IdleResult> merge_idle(const std::vector<Record>& launches);

}  // namespace strobe
