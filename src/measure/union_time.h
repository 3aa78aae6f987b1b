// SPDX-License-Identifier: Apache-2.0
// How long host or device are busy with a request, on one time line. A short turn of its own: all its marks must be
// kept until both clocks have been tied together again behind it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <strobe/workload.h>

#include "base/units.h"

namespace strobe {

// What host and device did in one request, by the host's clock, since it began.
struct PlacedRequest {
  nanoseconds submitted{}, done{};           // host
  nanoseconds device_begin{}, device_end{};  // when the device came to its marks
};

struct UnionTimes {
  std::vector<double> ns;
  nanoseconds uncertainty{};                 // of all of them alike
  std::string why_not;                       // not empty: they cannot be told
  std::optional<PlacedRequest> median = {};  // the request whose latency is the median
};

inline constexpr nanoseconds kUnionTurn = 500ms;  // about

// `typical`: of one request. With `cold` the cache is flushed before each, outside what is timed. None where `about` is
// too short for a few requests.
UnionTimes union_times(Workload&, nanoseconds typical, bool cold, std::size_t& next_request,
                       nanoseconds about = kUnionTurn);

}  // namespace strobe
