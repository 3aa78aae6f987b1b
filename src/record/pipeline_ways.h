// SPDX-License-Identifier: Apache-2.0
// The ways to time a pipeline. Each is a case of its record, under this name.
#pragma once

#include <algorithm>
#include <string_view>

#include <strobe/record.h>

namespace strobe {

namespace pipeline_way {
inline constexpr char undisturbed[] = "undisturbed";
inline constexpr char naive[] = "naive";
inline constexpr char sync[] = "sync";
inline constexpr char event[] = "event";
inline constexpr char event_wait[] = "event-wait";
}  // namespace pipeline_way

// Null where the record has none: it is of another verb, or the points of a sweep are its cases.
inline const Case* case_of_way(const Record& r, std::string_view way) {
  const auto it = std::find_if(r.cases.begin(), r.cases.end(), [&](const Case& c) { return c.name == way; });
  return it == r.cases.end() ? nullptr : &*it;
}

}  // namespace strobe
