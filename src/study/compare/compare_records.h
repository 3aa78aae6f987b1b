// SPDX-License-Identifier: Apache-2.0
// `strobe compare baseline.json new.json`: stored records against the first of them. A launch is one observation; what
// was not measured under the same conditions is refused, or named.
#pragma once

#include <string>
#include <vector>

#include <strobe/record.h>
#include <strobe/study.h>

#include "study/compare/fail_on.h"

namespace strobe {

struct CompareRecordsPlan {
  double margin = 0.01;
  bool force = false;                   // compare although conditions differ, and doubt it
  std::vector<std::string> allow = {};  // conditions that are meant to differ: "threads"
  std::vector<FailCondition> fail_on = {};
};

// A condition in which two records differ.
struct ConditionDifference {
  std::string key;    // as --allow takes it: "threads"
  std::string words;  // "threads: 1 and 2"
  friend bool operator==(const ConditionDifference&, const ConditionDifference&) = default;
};

// Throws Error (usage) when conditions differ and `force` is not given.
Record compare_stored(const std::vector<StoredRecord>&, const CompareRecordsPlan&);

// Of the machine, the device, the settings and the inputs. The model and its runtime are what is compared.
std::vector<ConditionDifference> differing_conditions(const Record& a, const Record& b);

}  // namespace strobe
