// SPDX-License-Identifier: Apache-2.0
// What the texts of several studies share: the line that says what was run on what, and definitions for --explain.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <strobe/record.h>

#include "report/text/painter.h"

namespace strobe {

// The model's name, then batch, shape, runtime, device, threads; below it what integers were fed.
std::string head_line(const Record&, const Painter&);

// How many launches there were, and what their intervals mean; empty for a single one.
std::string launches_line(const Record&);

// A line for each metric with its definition, then how they were measured.
std::string explained(std::initializer_list<std::string_view> metrics, std::string_view how, const Painter&);

}  // namespace strobe
