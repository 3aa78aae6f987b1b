// SPDX-License-Identifier: Apache-2.0
// Records with several results as text: ways to time, points of a sweep, checks of the machine or of strobe itself.
#pragma once

#include <string>

#include <strobe/record.h>

#include "report/formats.h"
#include "report/text/painter.h"

namespace strobe {

std::string sweep_table(const Record&);

// The whole text.
std::string show_methods(const Record&, const RenderOptions&, const Painter&);
std::string show_doctor(const Record&, const RenderOptions&, const Painter&);
std::string show_selftest(const Record&, const RenderOptions&, const Painter&);

}  // namespace strobe
