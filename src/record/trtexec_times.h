// SPDX-License-Identifier: Apache-2.0
// What `trtexec --exportTimes` writes: an array of requests, each with the times of its parts. What each of them is, in
// Strobe's words, is one row of a table.
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "record/foreign_times.h"

namespace strobe {

// Throws a JSON exception where a request has no latency.
ForeignTimes trtexec_times(const nlohmann::json& requests);

// What its times under this metric are, in one sentence; empty of a metric that it has not.
std::string_view trtexec_definition(std::string_view metric);

}  // namespace strobe
