// SPDX-License-Identifier: Apache-2.0
// The JSON form of a record as a value, for what has a record among other things. `json` and `parse_record` are for
// texts.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <strobe/record.h>

namespace strobe {

nlohmann::ordered_json json_of(const Record&);
Record record_of(const nlohmann::ordered_json&);

}  // namespace strobe
