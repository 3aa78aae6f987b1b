// SPDX-License-Identifier: Apache-2.0
#include "measure/request_lanes.h"

#include <algorithm>

namespace strobe {

std::vector<TimelineSpan> request_lanes(const UnionTimes& times) {
  if (!times.median) return {};
  const PlacedRequest& r = *times.median;
  std::vector<TimelineSpan> spans;
  const auto add = [&](const char* lane, const char* name, nanoseconds begin, nanoseconds end) {
    if (end > begin) spans.push_back({lane, name, to_double(begin), to_double(end)});
  };
  // A mark is placed to within an uncertainty: a shorter wait is none that is known of. But the host never knows of an
  // end before it has come.
  const nanoseconds begin = r.device_begin >= times.uncertainty ? r.device_begin : 0ns;
  const nanoseconds end = std::min(r.device_end, r.done);
  add("host", "submit", 0ns, r.submitted);
  add("host", "wait", r.submitted, r.done);
  add("device", "wait", 0ns, begin);
  add("device", "work", begin, end);
  return spans;
}

}  // namespace strobe
