// SPDX-License-Identifier: Apache-2.0
// Records of older versions, turned into the form of this one before they are read. The only place that knows how they
// looked. What has an unexpected type is left alone: the reader refuses it.
#pragma once

#include <nlohmann/json.hpp>

namespace strobe::record_fields {

inline constexpr int kOldestMajor = 1;

// strobe/1 kept results among settings and in flat answers, and called every estimate a median.
nlohmann::ordered_json converted_from_1(nlohmann::ordered_json record);

// The first records of strobe/2 still kept some results among settings, and called kernels launches.
void move_results(nlohmann::ordered_json& record);

}  // namespace strobe::record_fields
