// SPDX-License-Identifier: Apache-2.0
// `strobe audit`: is a result to be believed that was measured before, or by somebody else?
#pragma once

#include <functional>
#include <string>

#include <strobe/measure.h>
#include <strobe/record.h>

#include "record/foreign_times.h"

namespace strobe {

struct AuditOptions {
  std::string file;
  bool times = false;           // the file holds times of any tool, not a record
  ForeignTimesOptions reading;  // how to read them
  std::function<void(const Progress&)> progress = {};
};

// A stored record judged anew, or a record made of somebody's times: metric `reading`, the steady part alone.
Record audit(const AuditOptions&);

}  // namespace strobe
