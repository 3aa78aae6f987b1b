// SPDX-License-Identifier: Apache-2.0
// What the values of the inputs do to the latency: the same model fed the user's inputs and fed random ones that
// rotate, taking turns. Measured only where the inputs are in doubt (all from files, or mostly zeros).
#pragma once

#include <optional>

#include <strobe/workload.h>

#include "measure/conductor.h"

namespace strobe {

inline constexpr double kInputEffectRequests = 104;  // at least

// Median latency with the other inputs over that with the given ones; nothing when it was stopped.
std::optional<double> input_effect(Workload& given, Workload& other, Conductor&);

}  // namespace strobe
