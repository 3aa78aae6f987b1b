// SPDX-License-Identifier: Apache-2.0
// What several launches of a pipeline say together, beside what launches of any study do (study/merge_launches.h).
#pragma once

#include <vector>

#include <strobe/record.h>

namespace strobe {

// Of each stage its figures for the next launch, and who bounds it where all launches agree. How much each way slows
// the pipeline and what marks cost come from one ratio a launch. The time line, idle times, gains and the replay's
// error are those of one launch, whose undisturbed latency is nearest the median: averaged over launches they would be
// of an iteration that never was.
void merge_pipeline(const std::vector<Record>& launches, Record& whole);

}  // namespace strobe
