// SPDX-License-Identifier: Apache-2.0
// Figures with their intervals one under the other on a common axis: methods, launches, comparisons, stages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <strobe/record.h>

#include "report/pictures/plot.h"

namespace strobe::page {

struct IntervalRow {
  std::string label, value;  // left and right above the mark
  Estimate estimate = {};
  std::string words;                 // on hovering
  std::optional<double> truth = {};  // a line across this row
  std::string heading = {};          // not empty: a group begins here
  std::string error = {};            // not empty: there is no figure, and this is why
  std::size_t series = 0;
  bool hollow = false;  // what it says could not be decided
};

struct IntervalAxis {
  std::string unit, name;
  bool bars = false;                 // from zero; otherwise dots
  std::optional<double> line = {};   // across all rows
  std::optional<Range> band = {};    // shaded
  bool logarithmic = false;          // for ratios: half and twice are equally far from 1
  std::string less = {}, more = {};  // what lies to the left and to the right: "← faster", "slower →"
};

// Draws into the plot and sets its height.
void draw_rows(Plot&, const std::vector<IntervalRow>&, const IntervalAxis&);

}  // namespace strobe::page
