// SPDX-License-Identifier: Apache-2.0
// Cases of a search or a sweep, ordered for a curve: along which setting, in which series.
#pragma once

#include <string>
#include <vector>

#include <strobe/record.h>

namespace strobe::page {

struct GridPoint {
  const Case* source = nullptr;
  std::size_t column = 0, series = 0;
  bool again = false;  // another trial of the same point stands for it
};

struct CaseGrid {
  std::string key;                   // the setting along the axis: "batch"
  std::vector<std::string> columns;  // its values, in order
  std::vector<std::string> series;   // the other settings that differ: "streams=2"; one without a name when none does
  std::vector<GridPoint> points;     // by column
};

// The batch is along the axis where it differs, else the setting with most values. Of several trials of one point one
// stands for it: that of the record's own rate, else the middle one.
CaseGrid grid_of(const Record&);

}  // namespace strobe::page
