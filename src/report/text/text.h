// SPDX-License-Identifier: Apache-2.0
// A record as people read it on a terminal.
#pragma once

#include <string>

#include <strobe/record.h>

#include "report/formats.h"

namespace strobe {

// With `explain` the definition stands under each figure.
std::string render_text(const Record&, const RenderOptions&);

}  // namespace strobe
