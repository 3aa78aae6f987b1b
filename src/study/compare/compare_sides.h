// SPDX-License-Identifier: Apache-2.0
// From the turns that all sides of a comparison took to its record.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <strobe/record.h>

#include "study/compare/compare.h"

namespace strobe {

struct Side {
  std::string name;
  std::unique_ptr<TurnTaker> candidate;
  std::vector<TurnReadings> turns;  // one a round
  std::vector<double> at_seconds;   // when each began
  std::vector<double> memory;       // bytes, one a load, where it was asked for
  Record about;                     // as it was after the first round: later it may be lost
};

// Fills cases, comparisons, conditions, findings and verdict; of model, device and settings what the record has. The
// first side is what the others are compared with; with a noise floor the last one is the first again.
void compare_sides(std::vector<Side>&, const ComparePlan&, Record&);

}  // namespace strobe
