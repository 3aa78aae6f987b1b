// SPDX-License-Identifier: Apache-2.0
// The verdict and what is behind it, as lines of text under a result.
#pragma once

#include <string>

#include <strobe/record.h>

#include "report/formats.h"
#include "report/text/painter.h"

namespace strobe {

// The verdict in one sentence; a line for each cause that counts and for each piece of advice. Notes, and what else
// shares a cause, are named in one line unless `verbose`: then every finding has a line.
std::string verdict_lines(const Record&, const RenderOptions&, const Painter&);

}  // namespace strobe
