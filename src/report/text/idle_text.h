// SPDX-License-Identifier: Apache-2.0
// The lines of a run's requests after pauses, below its metrics.
#pragma once

#include <string>

#include <strobe/record.h>

#include "report/text/painter.h"

namespace strobe {

// Empty where there were none.
std::string idle_table(const Record&, bool explain, const Painter&);

}  // namespace strobe
