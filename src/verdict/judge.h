// From a record to a verdict. A detector is one function and one row of a table: adding one touches detectors.h, its
// file and the table here.
#pragma once

#include <span>
#include <string_view>

#include <strobe/record.h>

#include "verdict/detectors.h"

namespace strobe {

struct Detector {
  std::string_view id;
  std::optional<Finding> (*detect)(const Record&);
};
std::span<const Detector> detectors();

struct CaseDetector {
  std::string_view id;
  std::optional<Finding> (*detect)(const Record&, const Case&);
};
std::span<const CaseDetector> case_detectors();

// What findings make of a measurement. Those about the workload are advice: however slow a model is, its measurement
// may be sound.
Verdict verdict_of(std::span<const Finding>);

// Replaces the findings of the record and of its cases, and the verdict.
void judge(Record&);

}  // namespace strobe
