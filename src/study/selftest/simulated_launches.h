// SPDX-License-Identifier: Apache-2.0
// Launches of a simulated machine, one after the other in this process. Each is told its number, by which it draws what
// a fresh process would, so everything between the options and the record takes part but the processes themselves.
#pragma once

#include <cstddef>

#include <strobe/record.h>

#include "study/run.h"

namespace strobe {

inline constexpr std::size_t kSimulatedLaunches = 5;

// Merged and judged as those of `strobe run`.
Record simulated_launches(RunOptions, std::size_t launches = kSimulatedLaunches);

}  // namespace strobe
