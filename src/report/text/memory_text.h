// SPDX-License-Identifier: Apache-2.0
// What memory goes to, as text.
#pragma once

#include <string>

#include <strobe/record.h>

#include "report/formats.h"
#include "report/text/painter.h"

namespace strobe {

std::string show_memory(const Record&, const RenderOptions&, const Painter&);

}  // namespace strobe
