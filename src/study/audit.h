// SPDX-License-Identifier: Apache-2.0
// `strobe audit`: is a result to be believed that was measured before, or by somebody else?
#pragma once

#include <functional>
#include <string>

#include <strobe/measure.h>
#include <strobe/record.h>

#include "record/foreign_times.h"

namespace strobe {

struct AuditPlan {
  std::string file;
  bool times = false;           // the file holds times of any tool, not a record
  ForeignTimesOptions reading;  // how to read them
  std::function<void(const Progress&)> progress = {};
};

// A stored record judged anew, or a record made of somebody's times: metric `reading`, the steady part alone.
Record audit(const AuditPlan&);

// The same of times that are read already. `name` is what a head line shows, `path` empty where there is no file.
Record audit_times(const ForeignTimes&, const std::string& name, const std::string& path = {});

// "point", "comma", or empty. Throws Error (usage) for another word.
DecimalSign decimal_sign(const std::string& word);

}  // namespace strobe
