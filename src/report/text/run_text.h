// SPDX-License-Identifier: Apache-2.0
// One measurement as text: a line a metric, then what else is known of its requests.
#pragma once

#include <string>

#include <strobe/record.h>

#include "report/formats.h"
#include "report/text/painter.h"

namespace strobe {

// Median and interval of each metric; with `explain` its definition below.
std::string metric_lines(const Record&, const RenderOptions&, const Painter&);

// Percentiles, spread, counts, startup, launches, work: a line each, where the record has it.
std::string detail_lines(const Record&);

}  // namespace strobe
