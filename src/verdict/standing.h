// SPDX-License-Identifier: Apache-2.0
// Whether the next run would read the same: one word for each metric, and from them the verdict of the record.
#pragma once

#include <optional>
#include <string_view>

#include <strobe/record.h>

#include "verdict/judge.h"

namespace strobe {

// Which findings concern this metric?
bool concerns(Hits, std::string_view metric, const Record&);

// Does the finding speak of this metric?
bool hits(const Finding&, std::string_view metric, const Record&);

// Fills `verdict` of each known metric from the findings and, over several launches, from the interval. `margin` is
// that of several launches; without one there is one launch.
void tell_standings(Record&, std::optional<double> margin);

// The verdict of a record of several launches: its findings, and whether the metrics that decide repeat.
Verdict verdict_of_launches(const Record&);

}  // namespace strobe
