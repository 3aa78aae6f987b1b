// SPDX-License-Identifier: Apache-2.0
// What makes a comparison unfair without anybody having asked for it: sides that multiply with other bits, or run on
// another number of threads. What the user chose differently is a note, what a runtime chose by default a warning.
#pragma once

#include <vector>

#include <strobe/record.h>

namespace strobe {

// Of each case against the first.
std::vector<Finding> unlike_sides(const std::vector<Case>&);

}  // namespace strobe
