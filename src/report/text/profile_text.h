// SPDX-License-Identifier: Apache-2.0
// A profile as text: what a request takes without the profiler, then where the time goes with it.
#pragma once

#include <string>

#include <strobe/record.h>

#include "report/formats.h"
#include "report/text/painter.h"

namespace strobe {

// Of two stored profiles; empty where there are none.
std::string layer_differences(const Record&, bool all);

std::string show_profile(const Record&, const RenderOptions&, const Painter&);

}  // namespace strobe
