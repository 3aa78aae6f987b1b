// SPDX-License-Identifier: Apache-2.0
// What every record begins with: which strobe, when, on what machine.
#pragma once

#include <string_view>

#include <strobe/record.h>

#include "record/study_info.h"
#include "workload/open_model.h"

namespace strobe {

Record new_record(std::string_view verb);

// How long loading took, and the device; a CPU is called by its model.
void describe_opened(const OpenedModel&, Record&);

// How a model was opened, as settings of the record.
void describe_model_settings(const OpenOptions&, const OpenedModel&, Record&);

}  // namespace strobe
