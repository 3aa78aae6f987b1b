// SPDX-License-Identifier: Apache-2.0
// Several launches together: on which CPUs their measuring threads were.
#pragma once

#include <optional>

#include <strobe/record.h>

namespace strobe {

void add(const CpuObservation& launch, std::optional<CpuObservation>& all);

}  // namespace strobe
