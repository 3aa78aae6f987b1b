// SPDX-License-Identifier: Apache-2.0
// What marks may cost a pipeline, and how many launches and rounds it takes to say so (docs/statistics.md).
#pragma once

#include <cstdint>

#include <strobe/record.h>

#include "stats/comparison.h"

namespace strobe {

inline constexpr double kMarksMayCost = 0.01;
inline constexpr std::uint64_t kRoundsForMarks = 32, kLaunchesForMarks = stats::kFewestPairs;

// Within one launch its rounds are what is compared; of several the launches, which must have as many rounds together.
inline bool enough_for_marks(const Record& r, const Comparison& c) {
  if (!c.ratio.bounded()) return false;
  if (r.launches.empty()) return c.pairs >= kRoundsForMarks;
  return c.pairs >= kLaunchesForMarks && r.rounds.value_or(0) >= kRoundsForMarks;
}

}  // namespace strobe
