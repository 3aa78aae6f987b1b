// SPDX-License-Identifier: Apache-2.0
// One measurement as text: a line a metric, then what else is known of its requests. A sweep is one row a point.
#pragma once

#include <string>

#include <strobe/record.h>

#include "report/formats.h"
#include "report/text/painter.h"

namespace strobe {

// The whole text.
std::string show_measurement(const Record&, const RenderOptions&, const Painter&);

// Median and interval of each metric; with `explain` its definition below.
std::string metric_lines(const Record&, const RenderOptions&, const Painter&);

// Percentiles, spread, counts, startup, launches, work: a line each, where the record has it.
std::string detail_lines(const Record&);

}  // namespace strobe
