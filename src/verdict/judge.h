// SPDX-License-Identifier: Apache-2.0
// From a record to a verdict. A detector is one function and one row of a table: adding one touches detectors.h, its
// file and the table here.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <strobe/record.h>

#include "verdict/detectors.h"

namespace strobe {

// Which metrics a finding concerns, where it does not name one itself.
enum class Hits {
  all,          // what is computed, or by what it is timed
  device_time,  // what is read behind the gate
  host,         // what the host takes part in: no throughput where the device is the slower one
  device,       // what the device's clocks decide: nothing that the host sets
};

// What else a finding means, to those who must not know it by its name.
struct Traits {
  bool survives_turns = false;  // taking turns does not remove it: a comparison has it, too
  bool doubts_inputs = false;   // other inputs would tell how much it matters
  bool of_one_launch = false;   // void where there are several
  bool of_all = false;          // of several launches it is asked together: what one of them says of it is void
  bool within_launch = false;   // explains one launch; a doubt about several only where nearly all of them have it …
  std::string_view sign = {};   // … and this evidence has the same sign in each
  bool of_interval = false;     // doubts a launch's interval, or its metrics beside each other: no doubt about several
  Hits hits = Hits::all;
  bool of_the_machine = false;   // true before anything is measured: `strobe doctor` says it, too
  bool of_a_measurement = true;  // only `strobe doctor` says what is not
};

// What a detector does: it says something of the record, or the same of several metrics, a finding each.
class Detect {
 public:
  constexpr Detect(std::optional<Finding> (*in_record)(const Record&)) : in_record_(in_record) {}
  constexpr Detect(std::vector<Finding> (*in_metrics)(const Record&)) : in_metrics_(in_metrics) {}

  std::vector<Finding> operator()(const Record&) const;

 private:
  std::optional<Finding> (*in_record_)(const Record&) = nullptr;
  std::vector<Finding> (*in_metrics_)(const Record&) = nullptr;
};

struct Detector {
  std::string_view id;
  Detect detect;
  Traits traits = {};
};
std::span<const Detector> detectors();

// Of a finding, by its id; the usual ones where no detector has that id.
Traits traits_of(const Finding&);

// Before it is judged: is there a doubt about the inputs that a measurement with others would settle?
bool doubts_inputs(const Record&);

struct CaseDetector {
  std::string_view id;
  std::optional<Finding> (*detect)(const Record&, const Case&);
};
std::span<const CaseDetector> case_detectors();

// The gravest first.
void sort_findings(std::vector<Finding>&);

// What findings make of a measurement. Those about the workload are advice: however slow a model is, its measurement
// may be sound.
Verdict verdict_of(std::span<const Finding>);

// Replaces the findings of the record and of its cases, and the verdict. `judge` (strobe/record.h) leaves alone what
// does not come from detectors.
void apply_detectors(Record&);

// What would spoil a measurement on this host and this device: nothing has been measured yet.
std::vector<Finding> examine(const Record&);

}  // namespace strobe
