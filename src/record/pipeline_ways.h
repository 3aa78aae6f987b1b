// SPDX-License-Identifier: Apache-2.0
// The ways to time a pipeline. Each is a case of its record, under this name. So is each way to run it that is timed as
// a whole: one iteration at a time, several in flight.
#pragma once

#include <algorithm>
#include <concepts>
#include <string_view>
#include <type_traits>

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
template <class R>
  requires std::same_as<std::remove_const_t<R>, Record>
auto* case_of_way(R& r, std::string_view way) {
  const auto it = std::find_if(r.cases.begin(), r.cases.end(), [&](const Case& c) { return c.name == way; });
  return it == r.cases.end() ? nullptr : &*it;
}

}  // namespace strobe
