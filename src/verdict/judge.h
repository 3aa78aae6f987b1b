// From a record to a verdict. A detector is one function and one row of a table; it reads the record and may add a
// finding. Severities are decided here, from the size of the effect, so that no detector can cry wolf.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include <strobe/record.h>

namespace strobe {

struct Detector {
  std::string_view id;
  std::optional<Finding> (*detect)(const Record&);
};
std::span<const Detector> detectors();

// Replaces the record's findings and verdict.
void judge(Record&);

}  // namespace strobe
