// SPDX-License-Identifier: Apache-2.0
// The rows of `strobe methods`: what is timed, what people take it for, and the references that it is held against. No
// measuring.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <strobe/record.h>

#include "device/device.h"
#include "measure/listings.h"
#include "measure/method_rows.h"
#include "study/methods.h"

namespace strobe {

// A row that is shown, as it is timed and as a report tells of it.
struct ShownMethod {
  MethodRow row;
  std::string claims, about;
  std::string statistic;             // of its reading, that is reported and compared
  std::string group;                 // named, combination, chosen, listing
  const Listing* listing = nullptr;  // whose line it prints
};

struct MethodTable {
  std::vector<ShownMethod> shown;
  std::vector<MethodRow> references;  // measured in the same rounds
  std::optional<Script> script;       // by which the first row is read

  std::vector<MethodRow> rows() const;  // what is shown, then the references
};

// Throws Error (usage) for a method, an axis or a listing that there is not, and for options that exclude each other;
// before anything is opened.
void check_methods(const MethodsOptions&);

// The same complaints.
MethodTable method_table(const MethodsOptions&, const Device&);

}  // namespace strobe
