// `strobe compare baseline.json new.json`: stored records against the first of them. A launch is one observation; what
// was not measured under the same conditions is refused, or named.
#pragma once

#include <string>
#include <vector>

#include <strobe/record.h>

namespace strobe {

struct StoredRecord {
  std::string name;  // of its file
  Record record;
};

struct CompareRecordsOptions {
  double margin = 0.01;
  bool force = false;  // compare although conditions differ
};

// Throws Error (usage) when conditions differ and `force` is not given.
Record compare_records(const std::vector<StoredRecord>&, const CompareRecordsOptions&);

// What differs between the conditions of two records, in words: "driver: 580.1 and 590.2".
std::vector<std::string> differing_conditions(const Record& a, const Record& b);

}  // namespace strobe
