// SPDX-License-Identifier: Apache-2.0
// What marks may cost a pipeline, and how many rounds it takes to say so (docs/statistics.md).
#pragma once

#include <cstdint>

namespace strobe {

inline constexpr double kMarksMayCost = 0.01;
inline constexpr std::uint64_t kRoundsForMarks = 32;

}  // namespace strobe
