// SPDX-License-Identifier: Apache-2.0
// Where the measuring thread ran, in one line.
#pragma once

#include <string>

#include <strobe/record.h>

namespace strobe {

std::string cpus_text(const CpuObservation&);

}  // namespace strobe
