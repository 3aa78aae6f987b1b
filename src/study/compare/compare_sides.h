// SPDX-License-Identifier: Apache-2.0
// From the launches of all sides of a comparison to its record.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <strobe/record.h>

#include "study/compare/compare.h"

namespace strobe {

// One side's half of a pair.
struct SideLaunch {
  std::vector<TurnReadings> turns;
  std::vector<double> at_seconds;  // when each began
  std::optional<double> bytes;     // that loading took, where it was asked for
};

struct Side {
  std::string name;
  CandidateOptions options;
  std::unique_ptr<TurnTaker> candidate;
  SideLaunch launch;                 // under way
  std::vector<SideLaunch> launches;  // of complete pairs
  Record about;                      // as the first one said, with what was watched beside all of them
};

// What the operating system did, summed over launches.
void add(const Disturbances&, std::optional<Disturbances>& sum);

// Fills cases, comparisons, conditions, findings and verdict; of model, device and settings what the record has. The
// first side is what the others are compared with; with a noise floor the last one is the first again.
void compare_sides(std::vector<Side>&, const ComparePlan&, Record&);

}  // namespace strobe
