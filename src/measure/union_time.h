// How long host or device are busy with a request, on one time line. A short turn of its own: all its marks must be
// kept until both clocks have been tied together again behind it.
#pragma once

#include <string>
#include <vector>

#include <strobe/workload.h>

#include "base/units.h"

namespace strobe {

struct UnionTimes {
  std::vector<double> ns;
  nanoseconds uncertainty{};  // of all of them alike
  std::string why_not;        // not empty: they cannot be told
};

// `typical`: of one request. With `cold` the cache is flushed before each, outside what is timed.
UnionTimes union_times(Workload&, nanoseconds typical, bool cold, std::size_t& next_request);

}  // namespace strobe
